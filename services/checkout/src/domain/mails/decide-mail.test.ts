import { describe, expect, it } from '@jest/globals';
import { INTENT_STATES, type IntentState } from '@gp/contracts';
import { decideMail, findFate, type Known } from './decide-mail.ts';
import type { MailKind } from './payer-mail.ts';

const hour = 3_600_000;
const known: Known = {
  state: 'preauthorised',
  capturedMinor: 0n,
  refundedMinor: 0n,
  email: 'ada@example.com',
  facts: { is_collecting: true, awaits_payers: true, is_settled: false },
  expiresAtMs: 100 * hour,
};
const money: Partial<Record<IntentState, Partial<Known>>> = {
  captured: { capturedMinor: 10n },
  refund_pending: { capturedMinor: 10n },
  refunded: { capturedMinor: 10n, refundedMinor: 10n },
};
const decide = (kind: MailKind, changed: Partial<Known> = {}, nowMs = 0) =>
  decideMail({ kind, occurredAtMs: 0 }, { ...known, ...changed }, nowMs);
const sentIn = (kind: MailKind) =>
  INTENT_STATES.filter((state) => decide(kind, { state, ...money[state] }, 80 * hour).do === 'send');

describe('a due mail', () => {
  it.each([
    ['held', ['preauthorised']],
    ['charged', ['captured', 'refund_pending', 'refunded']],
    ['released', ['failed', 'void_pending', 'voided', 'capture_failed']],
    ['refunded', ['refunded']],
    ['reminder', ['preauthorised']],
  ] as const)('a mail of the kind %s is sent only while it is true', (kind, states) => {
    expect(sentIn(kind)).toEqual(
      INTENT_STATES.filter((state) => (states as readonly string[]).includes(state)),
    );
  });

  it('a reminder waits for its time, and is not sent after the end, nor of a complete or a short group', () => {
    expect(decide('reminder')).toEqual({ do: 'wait', untilMs: 76 * hour });
    expect(decide('reminder', {}, 76 * hour)).toEqual({ do: 'send' });
    const skipped = { do: 'skip', reason: 'overtaken' };
    expect(decide('reminder', {}, 100 * hour)).toEqual(skipped);
    expect(decide('reminder', { facts: { ...known.facts, awaits_payers: false } }, 80 * hour)).toEqual(
      skipped,
    );
    expect(decide('reminder', { expiresAtMs: hour / 2 })).toEqual(skipped);
  });

  it('a reminder of an organiser goes out at once, while the group waits for payers and has time (Q87)', () => {
    expect(decide('organiser_reminder', { state: 'created' })).toEqual({ do: 'send' });
    const skipped = { do: 'skip', reason: 'overtaken' };
    expect(decide('organiser_reminder', {}, 100 * hour)).toEqual(skipped);
    expect(decide('organiser_reminder', { facts: { ...known.facts, awaits_payers: false } })).toEqual(
      skipped,
    );
  });

  it('an erased payer gets no mail of any kind', () => {
    const kinds = ['held', 'charged', 'released', 'refunded', 'reminder', 'organiser_reminder'] as const;
    for (const kind of kinds)
      expect(decide(kind, { email: 'x@erased.invalid' })).toEqual({ do: 'skip', reason: 'erased' });
  });
});

describe('what a payer is told of a payment', () => {
  it('money counts before the state, and what is not known is not called released', () => {
    const held = { ...known, unknown: false, wasHeld: true };
    const told = INTENT_STATES.map((state) => findFate({ ...held, state, ...money[state] }));
    expect(told).toEqual([
      ...['unfinished', 'pending', 'held', 'held', 'charged', 'charged', 'refunded'],
      ...['released', 'released', 'released', 'capture_failed'],
    ]);
    expect(findFate({ ...held, state: 'failed', unknown: true })).toBe('pending');
    expect(findFate({ ...held, state: 'created', unknown: true })).toBe('pending');
    expect(findFate({ ...held, state: 'captured', capturedMinor: 10n, refundedMinor: 4n })).toBe(
      'part_refunded',
    );
  });

  it('a payment of which nothing was ever held is unfinished, not released', () => {
    for (const state of ['failed', 'void_pending', 'voided'] as const)
      expect(findFate({ ...known, state, unknown: false, wasHeld: false })).toBe('unfinished');
  });
});
