import { pspCodes, type Mode, type PspCode } from '@gp/contracts';
import type { Random } from '../runtime/random.ts';
import { drawTroubles, type Troubles } from './faults.ts';

const minute = 60_000;
const hour = 60 * minute;

/** A merchant's connection of one gateway in one mode, as its credentials say. */
export type PlannedConnection = {
  readonly psp: PspCode;
  readonly mode: Mode;
  readonly account: string;
  readonly secret: string;
};
export type PlannedMerchant = {
  readonly id: string;
  readonly connections: readonly PlannedConnection[];
  readonly groups: number;
};

/** Everything about a world that is decided before it begins. */
export type Plan = {
  readonly merchants: readonly PlannedMerchant[];
  readonly replicas: number;
  readonly troubles: Troubles;
  /** Kills of a process and jumps of clocks: how many; and how often the bus loses all it has. */
  readonly kills: number;
  readonly forgets: number;
  readonly clockJumps: number;
  /** Messages of strangers and greedy merchants. */
  readonly forgeries: number;
  readonly crowds: number;
  /** How long payers come, and when the faults end, ms after the beginning. */
  readonly payersComeMs: number;
  readonly healedAtMs: number;
  /** Probability that the merchant acts on a payment in a gateway's own dashboard. */
  readonly byHand: number;
};

export function drawPlan(random: Random): Plan {
  const hasFlood = random.chance(0.2);
  const sharing = random.chance(0.3) ? random.pick(['one secret', 'own secrets'] as const) : 'none';
  const merchants = Array.from({ length: random.between(1, 4) }, (_, at) =>
    drawMerchant(random, at, sharing),
  );
  // The platform promises to send again what was lost with the streams, however often, and once what they lost without
  // being created anew: no message is lost in both ways.
  const forgets = random.chance(0.3) ? random.between(1, 4) : 0;
  const troubles = drawTroubles(random);
  return {
    merchants: merchants.map((merchant, at) =>
      hasFlood && at === 0 ? { ...merchant, groups: 25 } : merchant,
    ),
    replicas: random.chance(0.6) ? 2 : 1,
    troubles: forgets > 0 ? { ...troubles, messageLost: 0 } : troubles,
    kills: random.chance(0.6) ? random.between(1, 12) : 0,
    forgets,
    clockJumps: random.chance(0.3) ? random.between(1, 4) : 0,
    forgeries: random.chance(0.4) ? random.between(1, 20) : 0,
    crowds: random.chance(0.2) ? random.between(1, 3) : 0,
    payersComeMs: random.pick([2 * minute, 20 * minute, 2 * hour]),
    healedAtMs: random.pick([30 * minute, 3 * hour, 9 * hour]),
    byHand: random.chance(0.4) ? random.next() * 0.15 : 0,
  };
}

function drawMerchant(
  random: Random,
  at: number,
  sharing: 'none' | 'one secret' | 'own secrets',
): PlannedMerchant {
  const id = `m${at + 1}`;
  const psps = pspCodes.filter(() => random.chance(0.6));
  const modes: readonly Mode[] = random.chance(0.3)
    ? ['test', 'live']
    : [random.pick(['test', 'live'] as const)];
  const connections = (psps.length > 0 ? psps : [random.pick(pspCodes)]).flatMap((psp) =>
    modes.map((mode) => {
      const isShared = sharing !== 'none' && random.chance(0.7);
      const account = isShared ? `shared_${psp}` : `${id}_${psp}`;
      const secret = `${isShared && sharing === 'one secret' ? 'shared' : id}-${psp}-${mode}`;
      return { psp, mode, account, secret };
    }),
  );
  return { id, connections, groups: random.between(2, 10) };
}
