import './mantine.css';
import './page.css';
import './parts/parts.css';
import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router/dom';
import { watchAttendance } from './api/attendance.ts';
import { createQueryClient } from './api/query-client.ts';
import { nonce, shareNonce } from './nonce.ts';
import { createRouter } from './router.tsx';
import { loginPath } from './shell/places.ts';
import { cssVariables, theme } from './theme.ts';

shareNonce();
watchAttendance();
const queries = createQueryClient(() => {
  const { pathname, search } = window.location;
  // Several responses may report it at once; only the first one redirects, and stores the place to return to.
  if (pathname === '/login') return;
  void router.navigate(loginPath(pathname + search), { replace: true });
});
const router = createRouter();

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no root');
createRoot(root).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      getStyleNonce={nonce}
    >
      <QueryClientProvider client={queries}>
        <Notifications position="bottom-right" />
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
