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

  it('an erased payer gets no mail of any kind', () => {
    for (const kind of ['held', 'charged', 'released', 'refunded', 'reminder'] as const)
      expect(decide(kind, { email: 'x@erased.invalid' })).toEqual({ do: 'skip', reason: 'erased' });
  });
});

describe('what a payer is told of a payment', () => {
  it('money counts before the state, and what is not known is not called released', () => {
    const told = INTENT_STATES.map((state) => findFate({ ...known, state, ...money[state], unknown: false }));
    expect(told).toEqual([
      ...['pending', 'pending', 'held', 'held', 'charged', 'charged', 'refunded'],
      ...['released', 'released', 'released', 'capture_failed'],
    ]);
    expect(findFate({ ...known, state: 'failed', unknown: true })).toBe('pending');
    expect(
      findFate({ ...known, state: 'captured', capturedMinor: 10n, refundedMinor: 4n, unknown: false }),
    ).toBe('part_refunded');
  });
});
