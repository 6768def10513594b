import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { isPassing, isSignedOut, lacksSecondFactor } from './failure.ts';

const FRESH_MS = 10_000;
const RETRIES = 2;

/**
 * Creates the cache of everything read. `onSignedOut` is called when a response reports that the session is over.
 */
export function createQueryClient(onSignedOut: () => void): QueryClient {
  const onError = (error: unknown): void => {
    // The rule is newer than the cached user: load the user again, which leads to the profile.
    if (lacksSecondFactor(error)) void client.invalidateQueries({ queryKey: ['me'] });
    if (isSignedOut(error)) onSignedOut();
  };
  const client = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      // By default a request waits for the network, and an action is then sent after its user has given it up.
      mutations: { networkMode: 'always' },
      queries: {
        networkMode: 'always',
        refetchOnReconnect: true,
        staleTime: FRESH_MS,
        retry: (failures, error) => failures < RETRIES && isPassing(error),
      },
    },
  });
  return client;
}
