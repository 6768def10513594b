import './frame.css';
import '../parts/parts.css';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { createQueryClient } from '../api/query-client.ts';
import { ModeGate } from './mode-gate.tsx';
import { loginPath } from './places.ts';

export { Layout } from './layout.tsx';

/** What all screens behind the login share. The cache ends with the session: the login is outside. */
export function Gate() {
  const navigate = useNavigate();
  const [queries] = useState(() =>
    createQueryClient(() => {
      const { pathname, search } = window.location;
      // Several responses may report it at once; only the first one redirects, and stores the place to return to.
      if (pathname === '/login') return;
      void navigate(loginPath(pathname + search), { replace: true });
    }),
  );
  return (
    <QueryClientProvider client={queries}>
      <Notifications position="bottom-right" />
      <ModeGate />
    </QueryClientProvider>
  );
}
