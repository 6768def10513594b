import type { TimerInstruction } from '@gp/contracts';
import type { GroupEffect, Group } from '../../domain/index.ts';

type TimerEffect = Extract<GroupEffect, { kind: 'timer.set' | 'timer.cancel' }>;

/** Returns the timer instructions of a decision. Each key appears once, so all carry the revision of the decision. */
export function timerInstructions(group: Group, effects: readonly GroupEffect[]): TimerInstruction[] {
  return effects.filter(isTimer).map((effect) => instruction(group, effect));
}

function isTimer(effect: GroupEffect): effect is TimerEffect {
  return effect.kind === 'timer.set' || effect.kind === 'timer.cancel';
}

function instruction(group: Group, effect: TimerEffect): TimerInstruction {
  const { merchantId: merchant_id, mode, version: revision } = group;
  const base = { merchant_id, mode, owner: 'ledger', key: effect.key, revision };
  if (effect.kind === 'timer.cancel') return { ...base, timer: null };
  const data = { ...effect.data, group_id: group.id };
  return { ...base, timer: { kind: effect.timer, due_at: new Date(effect.dueAtMs).toISOString(), data } };
}
