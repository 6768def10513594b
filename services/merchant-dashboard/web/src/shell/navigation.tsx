import { AppShell, NavLink, Text } from '@mantine/core';
import { NavLink as RouterLink } from 'react-router';
import { Icon } from '../parts/icon.tsx';
import { screens, SECTIONS, type Screen, type Section } from '../screens.ts';
import { useMode } from './mode.ts';

/** Links to the screens, by section. */
export function Navigation() {
  const mode = useMode();
  return (
    <AppShell.Section grow className="nav-scroll">
      <div>
        {SECTIONS.map((section) => (
          <div key={section} role="group" aria-label={section}>
            <Text size="xs" fw={600} c="dimmed" tt="uppercase" px="sm" pt="sm" pb={4} aria-hidden>
              {section}
            </Text>
            {listLinks(section, mode === 'test').map(({ path, title, nav }) => (
              <NavLink
                key={path}
                component={RouterLink}
                to={`/${mode}${path === '' ? '' : `/${path}`}`}
                end={path === ''}
                label={title}
                leftSection={nav && <Icon name={nav.icon} />}
                variant="light"
                className="nav-link"
              />
            ))}
          </div>
        ))}
      </div>
    </AppShell.Section>
  );
}

function listLinks(section: Section, isTest: boolean): Screen[] {
  return screens.filter(({ nav }) => nav?.section === section && (isTest || !nav.testOnly));
}
