import { SESSION_SCOPES, type GroupState, type SessionScope } from '@gp/contracts';

/** What of a group decides about its tokens. */
export type SessionGroup = { readonly state: GroupState; readonly expiresAtMs: number };

const DEFAULT_SECONDS = 1_800;
/** How long a token may outlive the time to pay, so that a page can show how it ended. */
const AFTERMATH_SECONDS = 1_800;

/** Where slots are held or free and no capture was ordered: somebody may still pay. */
const COLLECTING: ReadonlySet<GroupState> = new Set(['open', 'partially_preauthorised', 'preauthorised']);

/** Whether the group can be paid; an expiry that nobody has carried out yet counts. */
export function isPayable({ state, expiresAtMs }: SessionGroup, nowMs: number): boolean {
  return COLLECTING.has(state) && nowMs < expiresAtMs;
}

/** What a new token may do. */
export function scopeFor(group: SessionGroup, nowMs: number): readonly SessionScope[] {
  return isPayable(group, nowMs) ? SESSION_SCOPES : ['read'];
}

/** How long a new token lives: as wanted, but one that pays ends half an hour after the time to pay, in seconds. */
export function lifetimeSeconds(group: SessionGroup, wanted: number | undefined, nowMs: number): number {
  const seconds = wanted ?? DEFAULT_SECONDS;
  if (!isPayable(group, nowMs)) return seconds;
  const leftSeconds = Math.floor((group.expiresAtMs - nowMs) / 1_000);
  return Math.min(seconds, leftSeconds + AFTERMATH_SECONDS);
}
