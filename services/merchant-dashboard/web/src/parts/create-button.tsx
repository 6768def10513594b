import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { useMode } from '../shell/mode.ts';
import { Icon } from './icon.tsx';

/** Leads to the form of a group payment by hand, in the mode of the address bar. */
export function CreateButton() {
  const mode = useMode();
  return (
    <Button component={Link} to={`/${mode}/group-payments/new`} leftSection={<Icon name="plus" size={16} />}>
      {mode === 'test' ? 'New test payment' : 'New live payment'}
    </Button>
  );
}
