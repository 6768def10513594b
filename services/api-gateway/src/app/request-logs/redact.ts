import { UUID } from '@gp/contracts';
import { findManifest, pspCodes } from '@gp/gateway-registry';
import { mask } from '@gp/telemetry';

const REDACTED = '[redacted]';
/** A body of ours has five levels; a deeper one is hostile. */
const DEEPEST = 12;

/** Fields of which no value is kept: secrets, cards, links that are a permission, and what names a payer. */
const NAMES =
  /secret|token|passw|authori[sz]ation|card|cvc|cvv|security_code|holder|email|customer_name|shown_name|checkout_url|organiser_url|^(?:pan|iban)$/i;
/** Said of a payer in bodies, and of a merchant's statement in queries. */
const TIME_ZONE = 'time_zone';
/** What a gateway's card form is given; some of it is secret. */
const CLIENT_FIELDS: ReadonlySet<string> = new Set(
  pspCodes.flatMap((code) => Object.keys(findManifest(code).clientData.fields)),
);

/**
 * An id of ours, which may have as many digits in a row as a card number, or digits of a card number as people write them;
 * those without separators are left to `mask`, which tells them from the digits of an id.
 */
const ID_OR_SPACED_CARD = /\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b|[2-6](?:[ -]?\d){12,18}/gi;
const SEPARATOR = /[ -]/;
const SEPARATED_DIGITS = /\d[ -]\d/;

/**
 * Returns a JSON value without secrets, cards and payers: such fields are replaced by name, and in every other text or number
 * what looks like a key, token, ciphertext, card number or e-mail address is masked. Long texts are cut.
 */
export function redact(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return redactText(value);
  // A card number is also a whole number.
  if (typeof value === 'number') return Math.abs(value) < 1e12 ? value : redactText(String(value));
  if (typeof value !== 'object' || value === null) return value;
  if (depth === DEEPEST) return REDACTED;
  if (Array.isArray(value)) return value.map((item) => redact(item, depth + 1));
  const fields = Object.entries(value).map(([name, part]) => [
    redactText(name),
    isSecretName(name) || name === TIME_ZONE ? REDACTED : redact(part, depth + 1),
  ]);
  return Object.fromEntries(fields) as unknown;
}

/** Returns a query with its values redacted in the same way; at most 1,000 characters. */
export function redactQuery(query: string): string {
  const values = [...new URLSearchParams(query)].map(([name, value]): [string, string] => [
    redactText(name),
    isSecretName(name) ? REDACTED : redactText(value),
  ]);
  return new URLSearchParams(values).toString().slice(0, 1_000);
}

/** Returns a text with everything masked that looks secret, at most 256 characters and without NUL. */
export function redactText(text: string): string {
  const clean = text.replaceAll('\0', '');
  const masked = SEPARATED_DIGITS.test(clean) ? clean.replaceAll(ID_OR_SPACED_CARD, maskCard) : clean;
  return mask(masked).toWellFormed();
}

const maskCard = (found: string): string => (UUID.test(found) || !SEPARATOR.test(found) ? found : '[masked]');

const isSecretName = (name: string): boolean => NAMES.test(name) || CLIENT_FIELDS.has(name);
