import { findConstraint } from '@gp/pg';
import { AppError } from '@gp/errors';

/** Class 22: a value the server cannot take, such as text with a NUL character or half of a surrogate pair. */
const DATA_EXCEPTION = /^22/;

const byConstraint = new Map<string, () => AppError>([
  ['groups_are_told_apart_by_order_id', () => new AppError('duplicate_merchant_order_id')],
  ['groups_are_found_by_page_token', () => new AppError('duplicate_merchant_order_id')],
  ['groups_name_is_short', () => invalid('group_name', 'must have 1 to 32 characters')],
  ['groups_metadata_is_an_object', () => invalid('metadata', 'must be an object')],
  ['slots_metadata_is_an_object', () => invalid('slot_metadata', 'must be objects')],
  ['slots_label_is_short', () => invalid('label', 'must have 1 to 60 characters')],
  ['customers_email_is_normal', () => invalid('customer_email', 'is no e-mail address')],
  ['customers_name_is_short', () => invalid('customer_name', 'must have at most 100 characters')],
]);

/**
 * For `.catch(…)` of a statement with text from outside: throws the server's refusal of the text as the
 * sender's mistake, everything else as it came.
 */
export function refuseBadInput(error: unknown): never {
  const named = byConstraint.get(findConstraint(error) ?? '');
  if (named) throw named();
  if (DATA_EXCEPTION.test(readSqlState(error))) {
    const message = 'Validation error: a value holds a character or number that cannot be stored';
    throw new AppError('validation_error', { message }, { cause: error });
  }
  throw error;
}

function readSqlState(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('code' in error)) return '';
  return typeof error.code === 'string' && 'severity' in error ? error.code : '';
}

function invalid(param: string, reason: string): AppError {
  const message = `Validation error: ${param}: ${reason}`;
  return new AppError('validation_error', { message, param, details: [{ param, reason }] });
}
