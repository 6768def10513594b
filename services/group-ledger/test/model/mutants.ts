import type { OrganiserRight } from '@gp/contracts';
import {
  decide,
  type CaptureMinimum,
  type Command,
  type CommandOf,
  type Context,
  type AcceptedDecision,
  type GroupDecision,
  type Group,
} from '../../src/domain/index.ts';
import type { Decide } from './world.ts';

/** A bug planted in the core, the promise that must be seen to break, and how many payments show it. */
export type Mutant = {
  readonly name: string;
  readonly breaks: RegExp;
  readonly payments: 1 | 2;
  /** The rights of the group's organiser; absent for a group without one. */
  readonly may?: readonly OrganiserRight[];
  /** What must be held for a capture at the expiry; absent for a group that releases everything then. */
  readonly captureMinimum?: CaptureMinimum;
  /** What payers may add to their slots; absent for a group that takes no tips. */
  readonly maxTipMinor?: bigint;
  readonly decide: Decide;
};

/** The core's decision for a group that differs from the real one; `restore` puts the hidden parts back. */
function blinded(
  group: Group,
  seen: Partial<Group>,
  command: Command,
  context: Context,
  restore: Partial<Group> = {},
): GroupDecision {
  const decision = decide({ ...group, ...seen }, command, context);
  return decision.kind === 'accepted' ? { ...decision, next: { ...decision.next, ...restore } } : decision;
}

function changed(
  decision: GroupDecision,
  change: (accepted: AcceptedDecision) => Partial<AcceptedDecision>,
): GroupDecision {
  return decision.kind === 'accepted' ? { ...decision, ...change(decision) } : decision;
}

function isHold(command: Command): boolean {
  return command.type === 'recordAuthorisation' && command.result.status === 'authorised';
}

function toUpdate({ expiresAtMs }: CommandOf<'organiserExtend'>): Command {
  return { type: 'update', expiresAtMs, changesNames: false };
}

/** Decides as if one held slot were enough for a capture at the expiry. */
function captureAny(group: Group, command: Command, context: Context): GroupDecision {
  const { captureMinimum } = group;
  const enough = { unit: 'slots', count: 1 } as const;
  return blinded(group, { captureMinimum: enough }, command, context, { captureMinimum });
}

/** Decides as if tips were parts of slots; the payments keep their tips. */
function forgetTips(group: Group, command: Command, context: Context): GroupDecision {
  const seen = group.intents.map((intent) => ({ ...intent, tipMinor: 0n }));
  return changed(decide({ ...group, intents: seen }, command, context), ({ next }) => ({
    next: {
      ...next,
      intents: next.intents.map((intent) => {
        const tipMinor = group.intents.find(({ id }) => id === intent.id)?.tipMinor ?? intent.tipMinor;
        return { ...intent, tipMinor };
      }),
    },
  }));
}

export const mutants: readonly Mutant[] = [
  {
    name: 'a tip is booked with what was captured for the slots',
    breaks: /S8/,
    payments: 1,
    maxTipMinor: 3n,
    decide: (group, command, context) =>
      command.type === 'recordCapture'
        ? forgetTips(group, command, context)
        : decide(group, command, context),
  },
  {
    name: 'a tip counts for the minimum of a capture at the expiry',
    breaks: /Q90/,
    payments: 1,
    captureMinimum: { unit: 'amount', minor: 20n },
    maxTipMinor: 10n,
    decide: (group, command, context) =>
      command.type === 'expire' ? forgetTips(group, command, context) : decide(group, command, context),
  },
  {
    name: 'a payer adds more than the creation allows',
    breaks: /S2/,
    payments: 1,
    maxTipMinor: 3n,
    decide: (group, command, context) => {
      if (command.type !== 'reserve' || !command.tipMinor) return decide(group, command, context);
      const { maxTipMinor } = group;
      const wanted = { ...command, tipMinor: command.tipMinor + 1n };
      return blinded(group, { maxTipMinor: wanted.tipMinor }, wanted, context, { maxTipMinor });
    },
  },
  {
    name: 'an expiry captures what is held of a group without a minimum',
    breaks: /R7/,
    payments: 1,
    decide: captureAny,
  },
  {
    name: 'an expiry captures less than the minimum',
    breaks: /Q90/,
    payments: 1,
    captureMinimum: { unit: 'slots', count: 2 },
    decide: captureAny,
  },
  {
    name: 'the capture fence is gone: a group expires while it is being captured',
    breaks: /R7/,
    payments: 1,
    decide: (group, command, context) => {
      const isLate = command.type === 'expire' && context.nowMs >= group.expiresAtMs;
      if (!isLate || group.expiredAtMs !== null || group.captures.length === 0)
        return decide(group, command, context);
      const hidden = group.intents.filter(({ state }) => state === 'preauthorised');
      const seen = { captures: [], intents: hidden, state: 'open' } as const;
      const { captures, intents, slots } = group;
      return blinded(group, seen, command, context, { captures, intents, slots });
    },
  },
  {
    name: 'a hold acquires slots without looking whether all are free',
    breaks: /S4|S1|B10/,
    payments: 2,
    decide: (group, command, context) => {
      if (!isHold(command) || !('intentId' in command)) return decide(group, command, context);
      const intent = group.intents.find(({ id }) => id === command.intentId);
      const slots = group.slots.map((slot) =>
        intent?.slotIds.includes(slot.id) && slot.state === 'assigned'
          ? { ...slot, state: 'unassigned' as const, intentId: null }
          : slot,
      );
      const decision = decide({ ...group, slots }, command, context);
      return decision.kind === 'accepted' ? decision : decide(group, command, context);
    },
  },
  {
    name: 'a hold that comes after the expiry is accepted',
    breaks: /R7/,
    payments: 1,
    decide: (group, command, context) => {
      if (!isHold(command) || group.expiredAtMs === null) return decide(group, command, context);
      const slots = group.slots.map((slot) => ({ ...slot, state: 'unassigned' as const, intentId: null }));
      const seen = { expiredAtMs: null, expiresAtMs: Infinity, slots, state: 'open' } as const;
      const { expiredAtMs, expiresAtMs } = group;
      return blinded(group, seen, command, context, { expiredAtMs, expiresAtMs, state: 'expired' });
    },
  },
  {
    name: 'a late decline undoes a hold',
    breaks: /S4|S1|B10|S8|Illegal/,
    payments: 1,
    decide: (group, command, context) => {
      if (command.type !== 'recordAuthorisation' || command.result.status !== 'declined') {
        return decide(group, command, context);
      }
      const intents = group.intents.map((intent) =>
        intent.id === command.intentId && intent.state === 'preauthorised'
          ? {
              ...intent,
              state: 'processing' as const,
              authorizations: intent.authorizations.map((authorization) => ({
                ...authorization,
                state: 'started' as const,
              })),
            }
          : intent,
      );
      return decide({ ...group, intents }, command, context);
    },
  },
  {
    name: 'a timeout counts as a decline',
    breaks: /S4/,
    payments: 1,
    decide: (group, command, context) => {
      const isTimeout = command.type === 'recordAuthorisation' && command.result.status === 'unknown';
      const failure = { code: 'timeout', message: 'timeout', retryable: true };
      return decide(
        group,
        isTimeout ? { ...command, result: { status: 'declined', failure } } : command,
        context,
      );
    },
  },
  {
    name: 'partially_paid is announced for holds',
    breaks: /S6/,
    payments: 2,
    decide: (group, command, context) =>
      changed(decide(group, command, context), ({ next, events }) => {
        const held = events.find(({ type }) => type === 'payment_intent.preauthorised');
        if (!held || next.state !== 'partially_preauthorised') return {};
        const sequence = next.sequence + 1;
        const type = 'group_payment.partially_paid';
        const wrong = { ...held, type, sequence } as unknown as AcceptedDecision['events'][number];
        return { next: { ...next, sequence }, events: [...events, wrong] };
      }),
  },
  {
    name: 'an expired group forgets to release its holds',
    breaks: /S4/,
    payments: 1,
    decide: (group, command, context) =>
      changed(decide(group, command, context), ({ next, effects }) => {
        if (next.expiredAtMs === null || group.expiredAtMs !== null) return {};
        const isRelease = (effect: (typeof effects)[number]) =>
          effect.kind === 'operation' && effect.operation === 'void';
        return {
          next: { ...next, voids: group.voids },
          effects: effects.filter((effect) => !isRelease(effect)),
        };
      }),
  },
  {
    name: 'a second hold of the same payment is kept instead of voided',
    breaks: /S4/,
    payments: 1,
    decide: (group, command, context) =>
      changed(decide(group, command, context), ({ next, effects }) => {
        if (!isHold(command)) return {};
        const isRelease = (effect: (typeof effects)[number]) =>
          effect.kind === 'operation' && effect.operation === 'void';
        return {
          next: { ...next, voids: group.voids },
          effects: effects.filter((effect) => !isRelease(effect)),
        };
      }),
  },
  {
    name: 'every hold is captured by two orders',
    breaks: /S7|S2/,
    payments: 1,
    decide: (group, command, context) =>
      changed(decide(group, command, context), ({ effects }) => ({
        effects: effects.flatMap((effect) =>
          effect.kind === 'operation' && effect.operation === 'capture'
            ? [effect, { ...effect, operationId: `${effect.operationId}+` }]
            : [effect],
        ),
      })),
  },
  {
    name: 'a refund whose outcome is unknown is sent as a new one',
    breaks: /S7|S2/,
    payments: 1,
    decide: (group, command, context) => {
      const isUnknown = command.type === 'recordRefund' && command.result.status === 'unknown';
      return decide(group, isUnknown ? { ...command, result: { status: 'retryable' } } : command, context);
    },
  },
  {
    name: 'a capture whose outcome is unknown counts as failed',
    breaks: /S4/,
    payments: 1,
    decide: (group, command, context) => {
      const isUnknown = command.type === 'recordCapture' && command.result.status === 'unknown';
      const failure = { code: 'timeout', message: 'timeout', retryable: false };
      return decide(
        group,
        isUnknown ? { ...command, result: { status: 'failed', failure } } : command,
        context,
      );
    },
  },
  {
    name: 'capturing starts before every slot is held',
    breaks: /payer at work/,
    payments: 2,
    decide: (group, command, context) => {
      if (!isHold(command) || !('intentId' in command)) return decide(group, command, context);
      const intent = group.intents.find(({ id }) => id === command.intentId);
      const slots = group.slots.filter(({ id }) => intent?.slotIds.includes(id));
      const others = group.slots.filter(({ id }) => !intent?.slotIds.includes(id));
      const decision = decide({ ...group, slots }, command, context);
      return changed(decision, ({ next }) => ({
        next: { ...next, slots: [...next.slots, ...others].toSorted((a, b) => a.sequenceNo - b.sequenceNo) },
      }));
    },
  },
  {
    name: 'a group state is set by hand',
    breaks: /S5/,
    payments: 2,
    decide: (group, command, context) =>
      changed(decide(group, command, context), ({ next }) =>
        next.state === 'partially_paid' ? { next: { ...next, state: 'capturing' } } : {},
      ),
  },
  {
    name: 'nobody asks how a payment ended',
    breaks: /S4|stuck/,
    payments: 1,
    decide: (group, command, context) =>
      changed(decide(group, command, context), ({ effects }) => ({
        effects: effects.filter(
          (effect) =>
            effect.kind !== 'timer.set' ||
            (effect.timer !== 'authorisation_query' && effect.timer !== 'reservation'),
        ),
      })),
  },
  {
    name: 'a release that was not confirmed is never tried again',
    breaks: /stuck/,
    payments: 1,
    decide: (group, command, context) =>
      changed(decide(group, command, context), ({ effects }) => ({
        effects: effects.filter((effect) => effect.kind !== 'timer.set' || effect.timer !== 'void_retry'),
      })),
  },
  {
    name: 'a payment that is being cancelled takes its hold without waiting for the answer',
    breaks: /S4/,
    payments: 1,
    decide: (group, command, context) => {
      const isConditional = group.voids.some(
        ({ unlessAuthorised, state }) => unlessAuthorised && state === 'started',
      );
      if (!isHold(command) || !isConditional) return decide(group, command, context);
      const open = group.voids.filter(({ unlessAuthorised }) => !unlessAuthorised);
      return blinded(group, { voids: open }, command, context, { voids: group.voids });
    },
  },
  {
    name: 'a payment that was taken back stays open to its payer',
    breaks: /S4|stuck/,
    payments: 1,
    decide: (group, command, context) => {
      const decision = decide(group, command, context);
      if (command.type !== 'reverseCapture') return decision;
      return changed(decision, ({ next, effects }) => ({
        next: { ...next, voids: group.voids },
        effects: effects.filter((effect) => effect.kind !== 'operation' && effect.kind !== 'timer.set'),
      }));
    },
  },
  {
    name: 'word of a capture that was taken back is dropped when it comes too early',
    breaks: /S4|stuck/,
    payments: 1,
    decide: (group, command, context) => {
      const decision = decide(group, command, context);
      const isEarly = command.type === 'reverseCapture' && decision.kind === 'rejected';
      return isEarly ? { kind: 'ignored', reason: 'told too early' } : decision;
    },
  },
  {
    name: 'an organiser cancels without the right',
    breaks: /Q84/,
    payments: 1,
    may: ['extend'],
    decide: (group, command, context) =>
      decide(group, command.type === 'organiserCancel' ? { type: 'cancel' } : command, context),
  },
  {
    name: 'an organiser extends without the right',
    breaks: /Q84/,
    payments: 1,
    may: ['cancel'],
    decide: (group, command, context) =>
      decide(group, command.type === 'organiserExtend' ? toUpdate(command) : command, context),
  },
  {
    name: 'an organiser extends a group as far as a merchant may',
    breaks: /Q84/,
    payments: 1,
    may: ['extend'],
    decide: (group, command, context) =>
      decide(group, command.type === 'organiserExtend' ? toUpdate(command) : command, context),
  },
];
