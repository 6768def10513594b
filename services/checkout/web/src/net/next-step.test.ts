import { errorCodes, catalogue, type ErrorCode } from '@gp/errors';
import { backoffMs } from './backoff.ts';
import { UNANSWERED, type Refused } from './failure.ts';
import { nextStep } from './next-step.ts';

const refused = (code: ErrorCode, retryAfterSeconds?: number): Refused => ({
  kind: 'refused',
  status: catalogue[code].status,
  code,
  retryAfterSeconds,
});

describe('what follows a failure', () => {
  it('a lost network leads to the same request again, sooner first and never later than eight seconds', () => {
    const waits = [1, 2, 3, 4, 5, 6, 50].map((failures) => nextStep(UNANSWERED, failures, () => 1));
    expect(waits.map((step) => step.do === 'repeat' && step.afterMs)).toEqual([
      500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000,
    ]);
  });

  it('pages that come back are spread over time', () => {
    expect(backoffMs(3, () => 0)).toBe(1_000);
    expect(backoffMs(3, () => 1)).toBe(2_000);
  });

  it('a declined card leads to another card, with the same shares (B8)', () => {
    expect(nextStep(refused('card_declined'), 1)).toEqual({ do: 'try_again', reason: 'declined' });
  });

  it.each(['no_payable_slots', 'slot_no_longer_available', 'invalid_slot_ids'] as const)(
    'a share that is gone leads to another choice: %s',
    (code) => expect(nextStep(refused(code), 1)).toEqual({ do: 'choose', reason: 'slotTaken' }),
  );

  it('a refused tip leads to the choice, with what is wrong, and any other refused value to the e-mail address (Q96)', () => {
    const refusal = refused('validation_error');
    expect(nextStep({ ...refusal, param: 'tip' }, 1)).toEqual({ do: 'choose', reason: 'badTip' });
    expect(nextStep({ ...refusal, param: 'customer_email' }, 1)).toEqual({
      do: 'choose',
      reason: 'badEmail',
    });
  });

  it('a limit makes the page wait as long as it asks for, and say so', () => {
    expect(nextStep(refused('rate_limited', 42), 1)).toEqual({
      do: 'repeat',
      afterMs: 42_000,
      because: 'limited',
    });
  });

  it('an unknown payment is never repeated but queried (R5)', () => {
    expect(nextStep(refused('outcome_unknown', 5), 1)).toEqual({ do: 'ask' });
  });

  it('a group that takes no money any more is read again', () => {
    expect(nextStep(refused('group_expired'), 1)).toEqual({ do: 'look' });
    expect(nextStep(refused('group_not_payable'), 1)).toEqual({ do: 'look' });
  });

  it('a merchant without a gateway is shown as such instead of more tries', () => {
    expect(nextStep(refused('no_active_gateway'), 1)).toEqual({ do: 'choose', reason: 'noGateway' });
  });

  it('every error of the catalogue has a next step', () => {
    for (const code of errorCodes) expect(nextStep(refused(code), 1).do).toMatch(/\w/);
  });
});
