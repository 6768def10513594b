import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Navigate, Outlet, useLocation, useParams } from 'react-router';
import { isSignedOut } from '../api/failure.ts';
import { FailureNote } from '../parts/failure-note.tsx';
import { Loading } from '../parts/loading.tsx';
import { storeLastMode } from './last-mode.ts';
import { isMode } from './mode.ts';
import { NoSuchPage } from './route-fault.tsx';
import { memberQuery } from './session.ts';

/**
 * Shows its screens to logged-in users, in a mode that exists; for others, the 401 response redirects to the
 * login.
 */
export function ModeGate() {
  const { mode } = useParams();
  const { pathname } = useLocation();
  const member = useQuery({ ...memberQuery, enabled: isMode(mode) });
  useEffect(() => {
    if (isMode(mode)) storeLastMode(mode);
  }, [mode]);
  if (!isMode(mode)) return <NoSuchPage />;
  // A user who is not logged in is being redirected to the login already.
  if (member.isError && !isSignedOut(member.error))
    return <FailureNote error={member.error} onRetry={() => void member.refetch()} />;
  // The backend refuses everything else until there is a second factor.
  const profile = `/${mode}/profile`;
  if (member.data?.must_add_second_factor && pathname !== profile) return <Navigate to={profile} replace />;
  // Screens are created anew in the other mode: neither filters nor a secret just shown are kept.
  return member.data ? <Outlet key={mode} /> : <Loading />;
}
