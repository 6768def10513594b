import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Me, Permission } from '../../../src/http/api.ts';
import { send } from '../api/send.ts';
import { useMode } from './mode.ts';
import { permissionFor } from './permissions.ts';

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

/** Returns whether the logged-in user may create group payments by hand in the mode of the address bar. */
export function useMayCreate(): boolean {
  return useMay(permissionFor('payments', useMode()));
}
