import type { CommandOf } from '../command.ts';
import { ignore, type CommandResult } from '../decision.ts';
import { timerKey } from '../timers/timer-key.ts';
import type { GroupDraft } from './group-draft.ts';
import { isCollecting } from './group.ts';
import { invalid, maxLifeMs } from './limits.ts';
import { refuseState } from './refuse-state.ts';

/**
 * Changes what a merchant may change of a group. Its names may change at any time. Its expiry may move only to a later
 * instant within seven days of the creation, and only while the group collects. A group whose expiry is due was expired
 * before this decision, so no update brings it back. Holds keep their own end at the gateway (C9).
 */
export function update(draft: GroupDraft, command: CommandOf<'update'>): CommandResult {
  const { expiresAtMs, changesNames } = command;
  const isLater = expiresAtMs !== null && expiresAtMs !== draft.group.expiresAtMs;
  if (!isLater && !changesNames) return ignore('nothing_changes');
  const refusal = isLater ? postpone(draft, expiresAtMs) : undefined;
  if (refusal) return refusal;
  draft.announceUpdate();
  return undefined;
}

function postpone(draft: GroupDraft, expiresAtMs: number): CommandResult {
  const { group } = draft;
  if (!isCollecting(group))
    return refuseState(group, {
      message: 'the expiry of the group payment cannot be changed in its current state',
      more: '; group_name and metadata can be changed in every state',
    });
  if (!(expiresAtMs > group.expiresAtMs))
    return invalid('expires_at', `must be later than the expiry so far, ${iso(group.expiresAtMs)}`);
  const latestMs = group.createdAtMs + maxLifeMs;
  if (expiresAtMs > latestMs)
    return invalid('expires_at', `cannot be more than 7 days after the creation, ${iso(latestMs)}`);
  draft.patchGroup({ expiresAtMs });
  draft.setTimer('group_expiry', timerKey.expiry(group.id), expiresAtMs);
  return undefined;
}

const iso = (ms: number): string => new Date(ms).toISOString();
