import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Outlet, useParams } from 'react-router';
import { isSignedOut } from '../api/failure.ts';
import { FailureNote } from '../parts/failure-note.tsx';
import { Loading } from '../parts/loading.tsx';
import { rememberMode } from './last-mode.ts';
import { isMode } from './mode.ts';
import { NoSuchPage } from './route-fault.tsx';
import { memberQuery } from './session.ts';

/** Lets in who is logged in, to a mode that exists; whoever is not is led to the login by the answer itself. */
export function ModeGate() {
  const { mode } = useParams();
  const member = useQuery({ ...memberQuery, enabled: isMode(mode) });
  useEffect(() => {
    if (isMode(mode)) rememberMode(mode);
  }, [mode]);
  if (!isMode(mode)) return <NoSuchPage />;
  // Whoever is not logged in is on the way to the login already.
  if (member.isError && !isSignedOut(member.error))
    return <FailureNote error={member.error} onRetry={() => void member.refetch()} />;
  // Screens of one mode are never kept for the other: not their filters, not a secret just shown.
  return member.data ? <Outlet key={mode} /> : <Loading />;
}
