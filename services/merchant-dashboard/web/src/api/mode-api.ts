import { queryOptions, useQuery, useQueryClient, type UseQueryOptions } from '@tanstack/react-query';
import { useMode, type Mode } from '../shell/mode.ts';
import { send, type Request } from './send.ts';

export type Filter = Readonly<Record<string, string | number | undefined>>;

/** Returns `?a=1&b=2` of the values that are set; empty when none is. */
export function formatQuery(filter: Filter): string {
  const set = Object.entries(filter).filter(([, value]) => value !== undefined && value !== '');
  const query = new URLSearchParams(set.map(([name, value]) => [name, String(value)])).toString();
  return query === '' ? '' : `?${query}`;
}

/**
 * Returns the address of a resource of one mode and its key in the cache. The mode comes first in both, so that
 * nothing crosses modes.
 */
export function toQueryOptions<T>(mode: Mode, path: string) {
  return queryOptions<T, Error, T, string[]>({
    queryKey: [mode, ...path.split(/[/?]/).filter(Boolean)],
    queryFn: ({ signal }) => send<T>(`/api/${mode}${path}`, { signal }),
  });
}

/** Reads `/api/{mode}{path}` in the mode of the address bar. */
export function useRead<T>(
  path: string,
  options: Pick<UseQueryOptions<T, Error, T, string[]>, 'enabled' | 'refetchInterval' | 'gcTime'> = {},
) {
  return useQuery({ ...toQueryOptions<T>(useMode(), path), ...options });
}

/** Writes in the mode of the address bar; `changed` causes what was read below a path to be read again. */
export function useModeApi() {
  const mode = useMode();
  const queries = useQueryClient();
  return {
    mode,
    send: <T>(path: string, request: Request): Promise<T> => send<T>(`/api/${mode}${path}`, request),
    changed: (path: string): Promise<void> =>
      queries.invalidateQueries({ queryKey: [mode, ...path.split('/').filter(Boolean)] }),
  };
}
