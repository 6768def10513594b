import { useEffect, useState } from 'react';

/**
 * Loads something once when a page before the login appears; those pages have no cache of what was read. Returns undefined
 * while it is loading, and null when it could not be loaded.
 */
export function useLoaded<T>(load: (signal: AbortSignal) => Promise<T>): T | null | undefined {
  const [loaded, setLoaded] = useState<T | null>();
  const [first] = useState(() => load);
  useEffect(() => {
    const left = new AbortController();
    first(left.signal).then(
      (value) => setLoaded(() => value),
      () => left.signal.aborted || setLoaded(null),
    );
    return () => left.abort();
  }, [first]);
  return loaded;
}
