import { ActionIcon, type ActionIconProps } from '@mantine/core';
import type { ComponentPropsWithRef } from 'react';
import { Icon } from '../parts/icon.tsx';

/** The button that opens the user's account. */
export function AccountIcon(
  props: ActionIconProps & Omit<ComponentPropsWithRef<'button'>, keyof ActionIconProps>,
) {
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="lg"
      aria-label="Account"
      aria-haspopup="dialog"
      {...props}
    >
      <Icon name="person" />
    </ActionIcon>
  );
}
