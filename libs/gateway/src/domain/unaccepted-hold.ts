import type { recordOutcome, ResponseOf } from '@gp/contracts';
import { AppError, isErrorCode } from '@gp/errors';

/** The ledger's reply to an outcome. */
export type LedgerReply = ResponseOf<typeof recordOutcome>;

/**
 * Builds the payer's error where the gateway held the money, but the ledger did not accept the hold and is voiding it. An
 * expiry that captured others leaves the group in a state of captures (Q90), so the state alone does not name it.
 */
export function buildUnacceptedError({ intent, group_state, is_group_expired }: LedgerReply): AppError {
  const code = intent.failure?.code;
  if (intent.failure && isErrorCode(code)) return new AppError(code, { message: intent.failure.message });
  if (code === 'amount_mismatch')
    return new AppError('card_declined', {
      message: 'the gateway held another amount; it is being released',
    });
  if (is_group_expired ?? group_state === 'expired') return new AppError('group_expired');
  return new AppError(group_state === 'cancelled' ? 'group_not_payable' : 'slot_no_longer_available');
}
