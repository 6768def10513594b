import {
  Divider,
  NavLink,
  Popover,
  Text,
  useMantineColorScheme,
  type MantineColorScheme,
} from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { send } from '../api/send.ts';
import { Icon, type IconName } from '../parts/icon.tsx';
import { AccountIcon } from './account-icon.tsx';
import { useMember } from './session.ts';

const SCHEMES: readonly { value: MantineColorScheme; label: string; icon: IconName }[] = [
  { value: 'light', label: 'Light', icon: 'sun' },
  { value: 'dark', label: 'Dark', icon: 'moon' },
  { value: 'auto', label: 'As the system', icon: 'screen' },
];

/**
 * Shows the logged-in user, the choice of light or dark pages, and the logout. It opens when it appears, because the press
 * that loaded it was for that. It is a dialog: what a menu shows beside its entries, a screen reader leaves out.
 */
export default function AccountMenu() {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // The button that was pressed is gone, and the dialog gives the focus back to where it was when it opened.
    button.current?.focus();
    setOpen(true);
  }, []);
  const member = useMember();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const leave = useLogout();
  return (
    <Popover
      position="bottom-end"
      width={240}
      withinPortal={false}
      trapFocus
      returnFocus
      opened={isOpen}
      onChange={setOpen}
    >
      <Popover.Target>
        <AccountIcon ref={button} onClick={() => setOpen(!isOpen)} />
      </Popover.Target>
      <Popover.Dropdown p={4} aria-label="Account">
        <Text size="sm" px="sm" pt={4} truncate>
          {member?.email}
        </Text>
        <Text size="xs" px="sm" pb={6} c="dimmed">
          {member?.role}
        </Text>
        <Divider />
        <div role="group" aria-labelledby="appearance">
          <Text id="appearance" size="xs" px="sm" pt={6} c="dimmed">
            Appearance
          </Text>
          {SCHEMES.map(({ value, label, icon }) => (
            <NavLink
              key={value}
              component="button"
              aria-pressed={colorScheme === value}
              label={label}
              leftSection={<Icon name={icon} size={16} />}
              rightSection={colorScheme === value ? <Icon name="check" size={16} /> : null}
              onClick={() => setColorScheme(value)}
            />
          ))}
        </div>
        <Divider />
        <NavLink
          component="button"
          label="Log out"
          leftSection={<Icon name="leave" size={16} />}
          onClick={() => void leave()}
        />
      </Popover.Dropdown>
    </Popover>
  );
}

function useLogout(): () => Promise<void> {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return async () => {
    await send('/api/logout', { method: 'POST', body: {} });
    queries.clear();
    await navigate('/login', { replace: true });
  };
}
