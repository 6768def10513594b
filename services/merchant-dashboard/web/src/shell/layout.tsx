import { AppShell, Burger, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useEffect, useRef } from 'react';
import { Link, Outlet, ScrollRestoration, useLocation, useMatches } from 'react-router';
import { LiveUpdates } from '../live/live-updates.tsx';
import { Icon } from '../parts/icon.tsx';
import { ProofGate } from '../parts/proof-gate.tsx';
import { AccountButton } from './account-button.tsx';
import { MerchantLogo } from './merchant-logo.tsx';
import { useMode } from './mode.ts';
import { ModeBanner } from './mode-banner.tsx';
import { ModeSwitch } from './mode-switch.tsx';
import { Navigation } from './navigation.tsx';
import { SearchButton } from './search/search-button.tsx';
import { useMember } from './session.ts';

/** The frame around every screen: header, navigation (behind a button on phones), and the screen. */
export function Layout() {
  const [isOpen, navigation] = useDisclosure(false);
  const main = useArrival(navigation.close);
  const mode = useMode();
  const member = useMember();
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 232, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding={{ base: 'md', sm: 'xl' }}
    >
      <a className="skip-link" href="#main">
        Skip to content
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap" gap="xs">
          <Group gap="xs" wrap="nowrap" miw={0}>
            <Burger
              opened={isOpen}
              onClick={navigation.toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label={isOpen ? 'Close navigation' : 'Open navigation'}
              aria-expanded={isOpen}
            />
            <Link to={`/${mode}`} className="brand" aria-label="Group Payments, home">
              <Icon name="mark" size={26} />
            </Link>
            <MerchantLogo />
            <Text className="merchant-name" fw={600} truncate title={member?.merchant_name}>
              {member?.merchant_name}
            </Text>
          </Group>
          <Group gap="xs" wrap="nowrap">
            <SearchButton />
            <ModeSwitch />
            <AccountButton />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="sm" aria-label="Main">
        <Navigation />
      </AppShell.Navbar>
      <AppShell.Main id="main" tabIndex={-1} ref={main}>
        {mode === 'test' && <ModeBanner />}
        <Outlet />
        <ProofGate />
        {member?.must_add_second_factor === false && <LiveUpdates />}
      </AppShell.Main>
      <ScrollRestoration />
    </AppShell>
  );
}

/** The field of the content that a screen opens with, or else the content. */
const findFocused = (main: HTMLElement | null): HTMLElement | null =>
  main?.querySelector<HTMLElement>('[data-autofocus]') ?? main;

/** On a change of screen, closes the navigation, sets the title and moves the focus to the content. */
function useArrival(close: () => void) {
  const { pathname } = useLocation();
  const handle = useMatches().at(-1)?.handle as { title?: string } | undefined;
  const mode = useMode();
  const main = useRef<HTMLElement>(null);
  const isFirst = useRef(true);
  useEffect(() => {
    close();
    if (!isFirst.current) findFocused(main.current)?.focus({ preventScroll: true });
    isFirst.current = false;
  }, [pathname, close]);
  useEffect(() => {
    document.title = `${handle?.title ?? 'Not found'} · ${mode} · Group Payments`;
  }, [handle?.title, mode]);
  return main;
}
