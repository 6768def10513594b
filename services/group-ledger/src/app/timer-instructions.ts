import type { TimerInstruction } from '@gp/contracts';
import type { Effect, Group } from '../domain/index.ts';

type TimerEffect = Extract<Effect, { kind: 'timer.set' | 'timer.cancel' }>;

/**
 * What a decision wants of its timers. It may set one and cancel it again, or the other way round: only the last word
 * about a key counts, as all of them carry the revision of the one decision.
 */
export function timerInstructions(group: Group, effects: readonly Effect[]): TimerInstruction[] {
  const last = new Map<string, TimerEffect>();
  for (const effect of effects) if (isTimer(effect)) last.set(effect.key, effect);
  return [...last.values()].map((effect) => instruction(group, effect));
}

function isTimer(effect: Effect): effect is TimerEffect {
  return effect.kind === 'timer.set' || effect.kind === 'timer.cancel';
}

function instruction(group: Group, effect: TimerEffect): TimerInstruction {
  const { merchantId: merchant_id, mode, version: revision } = group;
  const base = { merchant_id, mode, owner: 'ledger', key: effect.key, revision };
  if (effect.kind === 'timer.cancel') return { ...base, timer: null };
  const data = { ...effect.data, group_id: group.id };
  return { ...base, timer: { kind: effect.timer, due_at: new Date(effect.dueAtMs).toISOString(), data } };
}
