import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Me, Permission } from '../../../src/http/api.ts';
import { send } from '../api/send.ts';

export const memberQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => send<Me>('/api/me', { signal }),
  staleTime: 60_000,
});

/** Who is logged in; undefined until it is known. Nobody sees a screen of the shell before. */
export function useMember(): Me | undefined {
  return useQuery(memberQuery).data;
}

/** Whether who is logged in may do something. The server decides; pages only leave out what it would refuse. */
export function useMay(permission: Permission): boolean {
  return useMember()?.permissions.includes(permission) ?? false;
}
