import './frame.css';
import '../parts/parts.css';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { useState } from 'react';
import { Navigate, useLocation } from 'react-router';
import { createQueryClient } from '../api/query-client.ts';
import { ModeGate } from './mode-gate.tsx';
import { loginPath } from './places.ts';
import { memberQuery } from './session.ts';

export { Layout } from './layout.tsx';

/** What all screens behind the login share. The cache ends with the session: the login is outside. */
export function Gate() {
  const { pathname, search } = useLocation();
  const [isSignedOut, setSignedOut] = useState(false);
  const [queries] = useState(() => createQueryClient(() => setSignedOut(true)));
  // Without a session no screen stays mounted: each would load its data again until the login is there.
  if (isSignedOut) {
    const email = queries.getQueryData(memberQuery.queryKey)?.email;
    const state = email !== undefined && { note: 'Your session has ended. Log in again to go on.', email };
    return <Navigate to={loginPath(pathname + search)} state={state || null} replace />;
  }
  return (
    <QueryClientProvider client={queries}>
      <Notifications position="bottom-right" />
      <ModeGate />
    </QueryClientProvider>
  );
}
