import './frame.css';
import '../parts/parts.css';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider, type QueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Navigate, useLocation } from 'react-router';
import { createQueryClient } from '../api/query-client.ts';
import { ModeGate } from './mode-gate.tsx';
import { loginPath } from './places.ts';
import { memberQuery } from './session.ts';
import { keepTyped } from './typed.ts';

export { Layout } from './layout.tsx';

/** What all screens behind the login share. The cache ends with the session: the login is outside. */
export function Gate() {
  const { pathname, search } = useLocation();
  /** The state of the login page after the session has ended: a note and the e-mail address; undefined while it lasts. */
  const [ended, setEnded] = useState<object | null>();
  const [queries] = useState(() => createQueryClient(() => setEnded(endSession(queries))));
  // Without a session no screen stays mounted: each would load its data again until the login is there.
  if (ended !== undefined) return <Navigate to={loginPath(pathname + search)} state={ended} replace />;
  return (
    <QueryClientProvider client={queries}>
      <Notifications position="bottom-right" />
      <ModeGate />
    </QueryClientProvider>
  );
}

/** Keeps what was typed, and returns what the login says and to whom; null where nobody was logged in. */
function endSession(queries: QueryClient): object | null {
  const member = queries.getQueryData(memberQuery.queryKey);
  if (!member) return null;
  const hope = keepTyped(member) ? ': what you typed is still here.' : '.';
  return { note: `Your session has ended. Log in again to go on${hope}`, email: member.email };
}
