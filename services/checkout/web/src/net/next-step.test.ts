import { errorCodes, catalogue, type ErrorCode } from '@gp/errors';
import { backoffMs } from './backoff.ts';
import { UNANSWERED, type Refused } from './failure.ts';
import { nextStep } from './next-step.ts';

const refused = (code: ErrorCode, retryAfterSeconds?: number): Refused => ({
  kind: 'refused',
  status: catalogue[code].status,
  code,
  message: catalogue[code].text,
  retryAfterSeconds,
});

describe('what follows a failure', () => {
  it('is the same request again after a lost network, sooner first and never later than eight seconds', () => {
    const waits = [1, 2, 3, 4, 5, 6, 50].map((failures) => nextStep(UNANSWERED, failures, () => 1));
    expect(waits.map((step) => step.do === 'repeat' && step.afterMs)).toEqual([
      500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000,
    ]);
  });

  it('spreads the pages that come back', () => {
    expect(backoffMs(3, () => 0)).toBe(1_000);
    expect(backoffMs(3, () => 1)).toBe(2_000);
  });

  it('is another card for a declined one, with the same shares (B8)', () => {
    expect(nextStep(refused('card_declined'), 1)).toEqual({ do: 'try_again', reason: 'declined' });
  });

  it.each(['no_payable_slots', 'slot_no_longer_available', 'invalid_slot_ids'] as const)(
    'is another choice when a share is gone: %s',
    (code) => expect(nextStep(refused(code), 1)).toEqual({ do: 'choose', reason: 'slotTaken' }),
  );

  it('waits as long as a limit asks for, and says so', () => {
    expect(nextStep(refused('rate_limited', 42), 1)).toEqual({
      do: 'repeat',
      afterMs: 42_000,
      because: 'limited',
    });
  });

  it('never repeats a payment whose outcome is unknown, but asks (R5)', () => {
    expect(nextStep(refused('outcome_unknown', 5), 1)).toEqual({ do: 'ask' });
  });

  it('looks at the group again when it takes no money any more', () => {
    expect(nextStep(refused('group_expired'), 1)).toEqual({ do: 'look' });
    expect(nextStep(refused('group_not_payable'), 1)).toEqual({ do: 'look' });
  });

  it('says that a merchant has no gateway instead of trying on', () => {
    expect(nextStep(refused('no_active_gateway'), 1)).toEqual({ do: 'choose', reason: 'noGateway' });
  });

  it('exists for every error of the catalogue', () => {
    for (const code of errorCodes) expect(nextStep(refused(code), 1).do).toMatch(/\w/);
  });
});
