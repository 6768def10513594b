import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Me, Permission } from '../../../src/http/api.ts';
import { send } from '../api/send.ts';

export const memberQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => send<Me>('/api/me', { signal }),
  staleTime: 60_000,
});

/** Returns the logged-in user; undefined while loading. No screen of the shell is shown before. */
export function useMember(): Me | undefined {
  return useQuery(memberQuery).data;
}

/**
 * Returns whether the logged-in user has a permission. The server decides; pages only hide what it would refuse.
 */
export function useMay(permission: Permission): boolean {
  return useMember()?.permissions.includes(permission) ?? false;
}
