import { SESSION_SCOPES, type SessionScope } from '@gp/contracts';

/** The parts of a group that decide about its tokens. */
export type SessionGroup = { readonly isCollecting: boolean; readonly expiresAtMs: number };

const DEFAULT_SECONDS = 1_800;
/** How long a token may outlive the group's expiry, so that a page can show how the group ended. */
const AFTERMATH_SECONDS = 1_800;

/** Returns true while the group can be paid; after the expiry it cannot, even if it is not yet `expired`. */
export function isPayable({ isCollecting, expiresAtMs }: SessionGroup, nowMs: number): boolean {
  return isCollecting && nowMs < expiresAtMs;
}

/** Returns the scopes of a new token. */
export function chooseScope(group: SessionGroup, nowMs: number): readonly SessionScope[] {
  return isPayable(group, nowMs) ? SESSION_SCOPES : ['read'];
}

/**
 * Returns the lifetime of a new token, in seconds: as wanted, but a token that pays ends half an hour after the
 * group's expiry.
 */
export function lifetimeSeconds(group: SessionGroup, wanted: number | undefined, nowMs: number): number {
  const seconds = wanted ?? DEFAULT_SECONDS;
  if (!isPayable(group, nowMs)) return seconds;
  const leftSeconds = Math.floor((group.expiresAtMs - nowMs) / 1_000);
  return Math.min(seconds, leftSeconds + AFTERMATH_SECONDS);
}
