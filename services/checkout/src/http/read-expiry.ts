import { validationError } from '@gp/errors';
import type { HttpRequest } from '@gp/http';
import { readText } from './read-text.ts';

const NAME = 'expires_at';
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/;

/** Returns the end that a body asks for, as the ledger writes instants; throws `validation_error`. */
export function readExpiry(request: HttpRequest): string {
  const text = readText(request, NAME);
  const atMs = INSTANT.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(atMs)) throw validationError(NAME, 'must be an instant such as 2030-01-31T20:00:00Z');
  return new Date(atMs).toISOString();
}
