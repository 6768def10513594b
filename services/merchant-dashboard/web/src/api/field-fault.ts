import { ApiFailure } from './failure.ts';
import { readMessage } from './field-words.ts';

/**
 * Returns what is wrong with one of these fields, for the line below it: `Validation error: password: must have …` as
 * `Must have …`. Null where an error is about something else.
 */
export function findFieldFault(error: unknown, ...fields: string[]): string | null {
  if (!(error instanceof ApiFailure) || error.code !== 'validation_error') return null;
  if (error.param === undefined || !fields.includes(error.param)) return null;
  const { reason } = readMessage(error.message);
  return reason.charAt(0).toUpperCase() + reason.slice(1);
}
