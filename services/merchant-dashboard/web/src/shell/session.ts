import { queryOptions, useQuery } from '@tanstack/react-query';
import { send } from '../api/send.ts';

export type Role = 'owner' | 'admin' | 'developer' | 'support' | 'viewer';

export type Member = {
  readonly merchant_id: string;
  readonly merchant_name: string;
  readonly email: string;
  readonly role: Role;
};

export const memberQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => send<Member>('/api/me', { signal }),
  staleTime: 60_000,
});

/** Who is logged in; undefined until it is known. Nobody sees a screen of the shell before. */
export function useMember(): Member | undefined {
  return useQuery(memberQuery).data;
}
