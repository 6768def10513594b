import type { LoggedRequest } from '../../../../src/http/api.ts';
import { Badge } from '../../parts/state-badge.tsx';
import { findStatusTone } from './status-tone.ts';

/** The status of an answer, and the code of its error. */
export function Answer({ request: { status, error_code } }: { request: LoggedRequest }) {
  return (
    <>
      <Badge tone={findStatusTone(status)}>{String(status)}</Badge> {error_code}
    </>
  );
}

/** Returns the credential of a request in words: the name of its key, or a session token. */
export function formatKey(key: LoggedRequest['key']): string {
  if (key === null) return 'session token';
  return key.name ?? `key ${key.id.slice(0, 8)}`;
}

/** Formats how long an answer took: `34 ms`. */
export const formatDuration = (ms: number): string => `${ms} ms`;
