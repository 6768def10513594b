import { describe, expect, it } from '@jest/globals';
import { buildIntent, findFailure, findHold, moveTo, type Intent, type IntentParts } from './intent.ts';
import { intentMachine, type IntentState } from './intent.machine.ts';

const hold = { authorizationId: 'attempt', captureBeforeMs: 1 };
const failure = { code: 'card_declined', message: 'the card was declined', retryable: true };
const core = {
  id: 'intent',
  customerId: 'ann',
  pspCode: 'gateway_a',
  credentialVersion: 1,
  amountMinor: 1_000n,
  tipMinor: 0n,
  slotIds: ['slot'],
  unknown: false,
  authorizations: [],
  declines: 0,
  renewals: 0,
  amountCapturedMinor: 0n,
  amountRefundedMinor: 0n,
  disputed: false,
  shownName: null,
  supersededBy: null,
  requesters: [],
  createdAtMs: 0,
} as const;

type Need = 'always' | 'never' | 'either';
const shapes: Readonly<Record<IntentState, { readonly hold: Need; readonly failure: Need }>> = {
  created: { hold: 'never', failure: 'never' },
  processing: { hold: 'never', failure: 'never' },
  failed: { hold: 'never', failure: 'always' },
  preauthorised: { hold: 'always', failure: 'never' },
  capture_pending: { hold: 'always', failure: 'never' },
  capture_failed: { hold: 'always', failure: 'always' },
  captured: { hold: 'always', failure: 'never' },
  refund_pending: { hold: 'always', failure: 'never' },
  refunded: { hold: 'always', failure: 'never' },
  void_pending: { hold: 'either', failure: 'never' },
  voided: { hold: 'either', failure: 'never' },
};

const combinations = intentMachine.statuses.flatMap((state) =>
  [null, hold].flatMap((hold) =>
    [null, failure].map((failure): IntentParts => ({ ...core, state, hold, failure })),
  ),
);

function fits({ state, hold, failure }: IntentParts): boolean {
  const suits = (need: Need, part: object | null | undefined) =>
    need === 'either' || (need === 'always') === Boolean(part);
  return suits(shapes[state].hold, hold) && suits(shapes[state].failure, failure);
}

describe('a payment intent', () => {
  it.each(combinations.filter(fits))(
    'a payment intent is built where hold and failure fit its state: $state',
    (parts) => {
      const intent = buildIntent(parts);
      expect(intent.state).toBe(parts.state);
      expect(findHold(intent)).toEqual(parts.hold);
      expect(findFailure(intent)).toEqual(parts.failure);
    },
  );

  it.each(combinations.filter((parts) => !fits(parts)))(
    'a payment intent is refused where hold or failure contradicts its state: $state',
    (parts) => expect(() => buildIntent(parts)).toThrow(`payment intent intent is ${parts.state} and has`),
  );

  it('a payment intent cannot be written with a hold that its state does not have', () => {
    type IsIntent<T> = T extends Intent ? true : false;
    const bare: IsIntent<typeof core & { state: 'preauthorised' }> = false;
    const held: IsIntent<typeof core & { state: 'preauthorised'; hold: typeof hold }> = true;
    const unexplained: IsIntent<typeof core & { state: 'failed' }> = false;
    expect([bare, held, unexplained]).toEqual([false, true, false]);
  });
});

describe('a move to another state', () => {
  const held = buildIntent({ ...core, state: 'preauthorised', hold });

  it('a move to another state keeps the hold where the next state has one', () => {
    expect(findHold(moveTo(held, 'capture_pending', {}))).toEqual(hold);
    expect(findHold(moveTo(held, 'void_pending', {}))).toEqual(hold);
  });

  it('a move to another state drops the hold where the next state has none, and requires the failure', () => {
    expect(moveTo(held, 'failed', { failure })).not.toHaveProperty('hold');
    expect(() => moveTo(held, 'failed', {})).toThrow('has no failure');
  });

  it('a move to another state never carries a failure over', () => {
    const failed = buildIntent({ ...core, state: 'capture_failed', hold, failure });
    expect(moveTo(failed, 'capture_pending', {})).not.toHaveProperty('failure');
  });
});
