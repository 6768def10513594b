import { describe, it } from '@jest/globals';
import type { OrganiserRight } from '@gp/contracts';
import fc from 'fast-check';
import { checkDecision, checkGroup, checkOrganiser, must } from '../../test/model/promises.ts';
import {
  createGroup,
  decide,
  defaultPolicy,
  type CaptureMinimum,
  type Command,
  type Context,
  type AcceptedDecision,
  type Group,
  type Intent,
} from './index.ts';

/** One random draw: a command, the objects it concerns, and its outcome. */
type Throw = { readonly kind: number; readonly on: number; readonly how: number; readonly waitMs: number };

const minute = 60_000;
const dice = fc.record({
  kind: fc.nat(29),
  on: fc.nat(1_000),
  how: fc.nat(1_000),
  waitMs: fc.constantFrom(0, 0, 0, 0, 0, 0, 0, 1_000, minute, 20 * minute, 5 * 60 * minute),
});

/** The group at the start of a run: empty, or with so many slots held and so many captured, and its organiser's rights. */
type Start = {
  readonly slots: number;
  readonly held: number;
  readonly captured: number;
  readonly may: readonly OrganiserRight[] | null;
  readonly minimum: CaptureMinimum['unit'] | null;
  readonly tips: bigint | null;
};
const starts = fc.record({
  slots: fc.integer({ min: 1, max: 4 }),
  held: fc.nat(4),
  captured: fc.nat(4),
  may: fc.option(fc.subarray<OrganiserRight>(['remind', 'extend', 'cancel'])),
  minimum: fc.option(fc.constantFrom('amount' as const, 'slots' as const)),
  tips: fc.option(fc.constantFrom(7n, 150n)),
});

describe('any commands in any order, with any answers of a gateway that may lie', () => {
  it('any commands with any gateway answers keep the states coherent, the books balanced and the events numbered', () => {
    const story = fc.property(starts, fc.array(dice, { maxLength: 80, size: 'max' }), play);
    fc.assert(story, { numRuns: 2_000 });
  });
});

function play(start: Start, throws: readonly Throw[]): void {
  let ids = 0;
  let nowMs = 0;
  const revoked = new Set<string>();
  const context = (): Context => ({
    nowMs,
    newId: () => `${(ids += 1)}`,
    policy: defaultPolicy,
    jitter: (delayMs) => delayMs,
    isRevoked: (pspCode) => revoked.has(pspCode),
  });
  let group = newGroup(start, context());
  const does = (command: Command) => {
    const decision = decide(group, command, context());
    checkOrganiser(group, command, decision);
    if (decision.kind !== 'accepted') return;
    checkAccepted(group, decision);
    group = decision.next;
    checkGroup(group);
  };
  for (let at = 0; at < start.held; at += 1) hold(does, () => group, at);
  for (const capture of group.captures.slice(0, start.captured)) {
    const amountMinor = group.intents.find(({ id }) => id === capture.intentId)!.amountMinor;
    does({ type: 'recordCapture', ...capture, result: { status: 'captured', amountMinor } });
  }
  for (const each of throws) {
    nowMs += each.waitMs;
    if (each.kind === 27) revoked.clear();
    if (each.kind === 26) revoked.add(pspCodes[each.on % 3]!);
    does(buildCommand(group, each));
  }
}

/** Has one payer reserve and hold the slot, if there is such a slot. */
function hold(does: (command: Command) => void, group: () => Group, at: number): void {
  const slot = group().slots[at];
  if (!slot) return;
  const pspCode = pspCodes[at % 2 ? 0 : 2];
  does({
    type: 'reserve',
    requesters: null,
    customerId: `payer-${at}`,
    slotIds: [slot.id],
    tipMinor: group().maxTipMinor ?? 0n,
    account: { pspCode, credentialVersion: 1 },
  });
  const intent = group().intents.at(-1)!;
  const result = {
    status: 'authorised',
    amountMinor: intent.amountMinor,
    captureBeforeMs: null,
    pspReference: null,
  } as const;
  does({
    type: 'recordAuthorisation',
    intentId: intent.id,
    authorizationId: intent.authorizations[0]!.id,
    result,
  });
}

function newGroup({ slots, may, minimum, tips }: Start, context: Context): Group {
  const half = Math.ceil(slots / 2);
  const created = createGroup(
    {
      id: 'group',
      merchantId: 'merchant',
      mode: 'live',
      currency: 'EUR',
      totalMinor: BigInt(slots * 100),
      expiresAtMs: 24 * 60 * minute,
      distribution: { type: 'equally', numberOfSlots: slots },
      organiser: may && { may, latestExpiresAtMs: null },
      captureMinimum:
        minimum &&
        (minimum === 'slots' ? { unit: minimum, count: half } : { unit: minimum, minor: BigInt(half * 100) }),
      maxTipMinor: tips,
    },
    context,
  );
  if (created.kind !== 'accepted') throw new Error('the property starts with a bad group');
  return created.next;
}

function checkAccepted(before: Group, decision: AcceptedDecision): void {
  checkDecision({ group: before, announced: 0 }, decision);
  const { next, transitions, refusal } = decision;
  must(
    next.version >= before.version + Math.max(1, transitions.length),
    'every change has a version of its own',
  );
  must(!refusal || next.expiredAtMs !== before.expiredAtMs, 'only an expiry is written along with a refusal');
  const states = new Map<string, string>([[before.id, before.state]]);
  for (const row of [
    ...before.slots,
    ...before.intents,
    ...before.intents.flatMap(({ authorizations }) => authorizations),
  ]) {
    states.set(row.id, row.state);
  }
  for (const { entityId, from, to } of transitions) {
    must(!states.has(entityId) || states.get(entityId) === from, 'transitions are logged without a gap');
    states.set(entityId, to);
  }
  for (const row of [...next.slots, ...next.intents, next]) {
    must(!states.has(row.id) || states.get(row.id) === row.state, 'no state changes without a log');
  }
}

const pspCodes = ['gateway_a', 'gateway_b', 'gateway_c'] as const;
const failure = { code: 'refused', message: 'refused', retryable: false };

function buildCommand(group: Group, { kind, on, how }: Throw): Command {
  const intent = pick(group.intents, on);
  const authorization = intent && pick(intent.authorizations, how);
  const ids = { intentId: intent?.id ?? 'nobody', authorizationId: authorization?.id ?? 'nothing' };
  const amountMinor = intent?.amountMinor ?? 1n;
  switch (kind) {
    case 0:
    case 1:
      return {
        type: 'reserve',
        requesters: null,
        customerId: `payer-${on % 3}`,
        slotIds:
          how % 3 === 0 ? null : group.slots.filter((_, at) => (how >> at) % 2 === 1).map(({ id }) => id),
        // The whole tip that is allowed, a part of it, or more.
        tipMinor: pick([0n, 1n, group.maxTipMinor ?? 0n, (group.maxTipMinor ?? 0n) + 1n], on + how)!,
        account: { pspCode: pspCodes[on % 5] ?? 'gateway_b', credentialVersion: 1 },
      };
    case 2:
    case 3:
      return { type: 'beginAuthorisation', ...ids };
    case 4:
    case 5:
    case 6:
      return {
        type: 'recordAuthorisation',
        ...ids,
        result: {
          status: 'authorised',
          amountMinor: how % 17 === 0 ? amountMinor - 1n : amountMinor,
          captureBeforeMs: how % 5 === 0 ? null : 3 * 60 * minute,
          pspReference: null,
        },
      };
    case 7:
      return { type: 'recordAuthorisation', ...ids, result: { status: 'declined', failure } };
    case 8:
      return {
        type: 'recordAuthorisation',
        ...ids,
        result: { status: pick(['unknown', 'absent', 'lapsed'], how)! },
      };
    case 9:
      return { type: 'noteAuthorising', ...ids, pspReference: 'reference' };
    case 10:
      return { type: 'release', ...ids, failure };
    case 11:
    case 12:
      return {
        type: 'recordCapture',
        ...onOrder(group.captures, intent, how),
        result: captureResult(amountMinor, how),
      };
    case 13:
    case 14:
      return {
        type: 'recordVoid',
        ...onOrder(group.voids, intent, how),
        result: voidResult(amountMinor, how),
      };
    case 15:
    case 16:
      return {
        type: 'recordRefund',
        ...onOrder(group.refundLines, intent, how),
        result: refundResult(amountMinor, how),
      };
    case 17:
      return {
        type: 'openRefund',
        refundId: `${on}`,
        source: 'api',
        slotIds: how % 2 ? null : [pick(group.slots, on)!.id],
      };
    case 18:
      return { type: pick(['retryCapture', 'giveUpCapture', 'recheckCredentials', 'expire'], how)! };
    case 19:
      return how % 20 === 0 ? { type: 'cancel' } : { type: 'expire' };
    case 20:
      return {
        type: pick(['reservationExpiryDue', 'holdExpiryDue', 'captureRetryDue', 'refundRetryDue'], how)!,
        ...ids,
      };
    case 21:
      return { type: 'voidRetryDue', ...ids };
    case 22:
      return { type: 'authorisationQueryDue', ...ids, step: how };
    case 23:
      return { type: 'recordExternalCapture', ...ids, amountMinor };
    case 24:
      return {
        type: 'recordExternalRefund',
        ...ids,
        refundId: `${how}`,
        amountMinor: pick([amountMinor, 1n, 30n], how)!,
      };
    case 25:
      return { type: 'recordDispute', ...ids, disputed: how % 2 === 0 };
    case 26:
      return { type: 'reverseExternalRefund', ...ids, amountMinor: pick([amountMinor, 1n, 30n], how)! };
    case 28:
      return { type: 'update', expiresAtMs: how % 2 ? null : on * 20 * minute, changesNames: how % 3 > 0 };
    case 29:
      return how % 20 === 0
        ? { type: 'organiserCancel' }
        : { type: 'organiserExtend', expiresAtMs: (on % 200) * 20 * minute };
    default:
      return { type: how % 2 ? 'reverseCapture' : 'reverseRefund', ...ids };
  }
}

type Order = Group['captures'][number] | Group['voids'][number] | Group['refundLines'][number];

/** Names an order, now and then by a try that is long over. */
function onOrder(orders: readonly Order[], intent: Intent | undefined, how: number) {
  const order = pick(orders, how);
  return {
    intentId: order?.intentId ?? intent?.id ?? 'nobody',
    authorizationId: order?.authorizationId ?? 'nothing',
    operationId: how % 11 === 0 ? 'long ago' : (order?.operationId ?? 'never'),
  };
}

function captureResult(
  amountMinor: bigint,
  how: number,
): Extract<Command, { type: 'recordCapture' }>['result'] {
  const status = pick(['captured', 'captured', 'retryable', 'unknown', 'failed', 'lapsed'] as const, how)!;
  const least = amountMinor > 40n ? amountMinor - 40n : amountMinor;
  return { status, amountMinor: pick([least, ...Array<bigint>(12).fill(amountMinor)], how)!, failure };
}

function voidResult(amountMinor: bigint, how: number): Extract<Command, { type: 'recordVoid' }>['result'] {
  const status = pick(
    ['voided', 'voided', 'absent', 'retryable', 'unknown', 'captured', 'already_authorised'] as const,
    how,
  )!;
  return { status, amountMinor, captureBeforeMs: null, pspReference: null };
}

function refundResult(
  amountMinor: bigint,
  how: number,
): Extract<Command, { type: 'recordRefund' }>['result'] {
  const status = pick(['refunded', 'refunded', 'retryable', 'unknown', 'failed'] as const, how)!;
  return { status, amountMinor, failure };
}

function pick<T>(items: readonly T[], at: number): T | undefined {
  return items[at % items.length];
}
