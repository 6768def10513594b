import { digitRun, mayBeCard } from './card-digits.ts';

/**
 * The only names that may stand in a log line or on a span. Everything else is dropped, so a body, a card field
 * or a customer's details cannot be logged together with a harmless field. A name belongs here when its value is
 * made by us or is an identifier, never when a person typed it.
 */
// prettier-ignore
export const allowedFields = [
  // who and what
  'merchant_id', 'mode', 'group_id', 'slot_id', 'slot_count', 'intent_id', 'attempt_id', 'refund_id',
  'endpoint_id', 'delivery_id', 'event_id', 'event_type', 'timer_id', 'timer_kind', 'connection_id', 'user_id',
  'psp_code', 'psp_reference', 'psp_account_id', 'provider_code', 'credential_version', 'currency',
  // what happened
  'operation', 'outcome', 'code', 'reason', 'trigger', 'state', 'state_from', 'state_to', 'attempt',
  'breaker_state', 'decline_code', 'http_status', 'status', 'replayed', 'phase',
  // requests and messages
  'request_id', 'id', 'try', 'route', 'method', 'duration_ms', 'deadline_ms', 'retry_after_ms', 'subject', 'stream',
  'durable', 'consumer', 'message_id', 'delivery_count', 'batch_size', 'queue_age_ms',
  // the process and its parts
  'pid', 'port', 'host', 'signal', 'connected', 'loop', 'probe', 'fail_point', 'count', 'pending', 'applied', 'schema',
  'table', 'key_id', 'directory', 'version', 'position', 'due_at', 'expires_at', 'client_version', 'fault',
  'variables',
] as const;

export type FieldName = (typeof allowedFields)[number];
export type FieldValue = string | number | bigint | boolean | null | undefined | Date | readonly string[];
export type Fields = { readonly [name in FieldName]?: FieldValue };

const allowed: ReadonlySet<string> = new Set(allowedFields);

/** Keeps a long value from filling the log; identifiers, codes and reasons are far shorter. */
const maxValueLength = 256;

/**
 * The last check, after the allow-list: shapes that are secret in any field. Of runs of digits, `mayBeCard` decides which are
 * masked.
 */
const secretShapes = new RegExp(
  [
    String.raw`ev:[^\s"',}]*`,
    String.raw`\b[sr]k_(?:test|live)_\w*`,
    String.raw`whsec_[\w+/=]*`,
    String.raw`\w+_secret_\w+`,
    digitRun,
    String.raw`\beyJ[\w-]{8,}\.[\w-]*\.?[\w-]*`,
    String.raw`[\w.+-]{1,64}@[\w-]{1,63}\.[\w.-]*[a-z]`,
    String.raw`(?<=:\/\/)[^/\s@]{1,256}@`,
  ].join('|'),
  'gi',
);

/** A text with one of these shapes has one of these hints. Most texts have none, and `mask` takes a sixth of the time for them. */
const hints = new RegExp(
  ['ev:', '_secret_', '[sr]k_(?:test|live)_', 'whsec_', 'eyJ', '@', digitRun].join('|'),
  'i',
);

/** Text with everything that looks like a key, ciphertext, card number, token or e-mail replaced. */
export function mask(text: string): string {
  // Cut twice: once to bound the search, once after masking, so that the cut leaves no half of a secret.
  const head = text.slice(0, maxValueLength * 8);
  const masked = hints.test(head) ? head.replace(secretShapes, maskFound) : head;
  return masked.length > maxValueLength ? `${masked.slice(0, maxValueLength)}…` : masked;
}

const isRun = new RegExp(`^${digitRun}$`);

const maskFound = (found: string, start: number, text: string): string =>
  isRun.test(found) && !mayBeCard(found, start, text) ? found : '[masked]';

/** Returns the allow-listed part of `fields`, every value flat and masked; ready for a log line or a span. */
export function safeFields(fields: object): Record<string, string | number | boolean | string[]> {
  const safe: Record<string, string | number | boolean | string[]> = {};
  for (const [name, value] of Object.entries(fields)) {
    if (!allowed.has(name)) continue;
    const flat = safeValue(value);
    if (flat !== undefined) safe[name] = flat;
  }
  return safe;
}

/** Returns a value flat and masked; undefined when it has no flat form. */
export function safeValue(value: unknown): string | number | boolean | string[] | undefined {
  if (typeof value === 'string') return mask(value);
  if (typeof value === 'boolean') return value;
  // A card number is also a safe integer, so large numbers are masked like text.
  if (typeof value === 'number') return Math.abs(value) < 1e12 ? value : mask(String(value));
  if (typeof value === 'bigint') return mask(String(value));
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? undefined : value.toISOString();
  if (Array.isArray(value))
    return value
      .slice(0, 20)
      .filter((item) => typeof item === 'string')
      .map(mask);
  return undefined;
}
