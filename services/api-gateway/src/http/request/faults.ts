import type { ErrorObject } from '@gp/bundled/ajv';
import { AppError, validationError } from '@gp/errors';
import { findManifest, pspCodes } from '@gp/gateway-registry';
import {
  NAME_PATTERN,
  OPTIONAL_PAYER_NAME_PATTERN,
  PAYER_NAME_PATTERN,
  TIME_ZONE_PATTERN,
} from '@gp/primitives';
import type { Fault } from '../../domain/fault.ts';

/** The most faults listed in one response; a client with more can correct these first. */
const MOST_FAULTS = 50;
/** Unknown field names come from the caller and are repeated no longer than this. */
const MOST_NAME_LENGTH = 64;

/** Fields that look settable and are not. A Map, because the caller chooses the key, `__proto__` included. */
const GENERATED: ReadonlyMap<string, string> = new Map([
  ['merchant_order_id', 'is generated and cannot be supplied'],
]);

const PAYER_NAME = 'must be a name: with characters to see, without hidden ones and without a card number';

const PATTERNS: Readonly<Record<string, string>> = {
  '^[A-Z]{3}$': 'must be three upper-case letters',
  [TIME_ZONE_PATTERN]: 'must be the name of a time zone, such as Europe/Madrid or UTC',
  [NAME_PATTERN]:
    'must have characters to see, and no line breaks, control characters, or ones that hide or reorder text',
  [PAYER_NAME_PATTERN]: PAYER_NAME,
  [OPTIONAL_PAYER_NAME_PATTERN]: PAYER_NAME,
  ...Object.fromEntries(pspCodes.flatMap((code) => Object.entries(findManifest(code).cardFaults ?? {}))),
};

const FORMATS: Readonly<Record<string, string>> = {
  uuid: 'must be a UUID',
  email: 'must be an e-mail address',
  uri: 'must be an absolute URL',
  date: 'must be a day such as 2026-01-31',
  'date-time': 'must be an ISO 8601 date and time with a time zone offset',
};

/** Returns the one error of a request with faults: the first is its message, all are its details. */
export function buildRefusal(faults: readonly Fault[]): AppError {
  const [first] = faults;
  if (!first) throw new Error('a refusal needs a fault');
  const details = faults.slice(0, MOST_FAULTS).map(({ param, reason }) => ({ param, reason }));
  const refusal = validationError(first.param, first.reason, details);
  return first.hint === undefined
    ? refusal
    : new AppError(refusal.code, { ...refusal.data, hint: first.hint });
}

/** Returns the validator's errors in a merchant's terms: one fault a field, never the offending value. */
export function toFaults(errors: readonly ErrorObject[], whole: string, value: unknown): Fault[] {
  const byParam = new Map<string, Fault>();
  for (const error of errors) {
    if (byParam.size === MOST_FAULTS) break;
    if (isAboutNull(error)) continue;
    const reason = isEndless(error, value) ? 'is too large a number' : formatReason(error);
    const fault = {
      param: formatParam(error, whole),
      reason,
      ...(whole === 'query' && explain(error, value)),
    };
    if (!byParam.has(fault.param)) byParam.set(fault.param, fault);
  }
  return [...byParam.values()];
}

/** A value that fits no branch of a field that may be null: the errors of its other branch say what is wrong with it. */
const isAboutNull = ({ keyword, params }: ErrorObject): boolean =>
  keyword === 'anyOf' || (keyword === 'type' && params['type'] === 'null');

/** In the query of an address a plus sign means a space, so the offset of an instant is lost. */
function explain({ keyword, params, instancePath }: ErrorObject, value: unknown): Pick<Fault, 'hint'> {
  const isInstant = keyword === 'format' && params['format'] === 'date-time';
  const text = isInstant ? findValue(value, instancePath) : undefined;
  return typeof text === 'string' && /:\d\d(\.\d+)? \d\d:\d\d$/.test(text)
    ? { hint: 'a + in an address means a space: write it as %2B, or the instant with Z' }
    : {};
}

/** A number beyond what a double holds, such as 1e400, is none to the validator. */
function isEndless({ keyword, instancePath }: ErrorObject, value: unknown): boolean {
  if (keyword !== 'type') return false;
  const found = findValue(value, instancePath);
  return found === Infinity || found === -Infinity;
}

const findValue = (value: unknown, instancePath: string): unknown =>
  instancePath
    .split('/')
    .slice(1)
    .map(unescapeStep)
    .reduce<unknown>((at, step) => (at as Record<string, unknown>)[step], value);

const unescapeStep = (step: string): string => step.replaceAll('~1', '/').replaceAll('~0', '~');

/** `/distribution/slots/2/amount` → `distribution.slots[2].amount`. */
function formatParam({ instancePath, keyword, params }: ErrorObject, whole: string): string {
  const path = instancePath
    .split('/')
    .slice(1)
    .map((part) => (/^\d+$/.test(part) ? `[${part}]` : `.${unescapeStep(part)}`))
    .join('')
    .replace(/^\./, '');
  const child = findChildName(keyword, params);
  if (child === undefined) return path === '' ? whole : path;
  return path === '' ? child : `${path}.${child}`;
}

function findChildName(keyword: string, params: Record<string, unknown>): string | undefined {
  if (keyword === 'required') return String(params['missingProperty']);
  if (keyword === 'discriminator') return String(params['tag']);
  if (keyword !== 'additionalProperties') return undefined;
  return String(params['additionalProperty']).slice(0, MOST_NAME_LENGTH).toWellFormed();
}

function formatReason({ keyword, params, schema, message }: ErrorObject): string {
  const limit = Number(params['limit']);
  switch (keyword) {
    case 'required':
      return 'is required';
    case 'additionalProperties':
      return GENERATED.get(String(params['additionalProperty'])) ?? 'is not a known field';
    case 'type':
      return `must be ${formatTypes(params['type'])}`;
    case 'enum':
      return `must be one of ${(params['allowedValues'] as readonly unknown[]).join(', ')}`;
    case 'const':
      return `must be ${String(params['allowedValue'])}`;
    case 'discriminator':
      return 'must be equally or custom';
    case 'minLength':
      return `must have at least ${formatCount(limit, 'character')}`;
    case 'maxLength':
      return `must have at most ${formatCount(limit, 'character')}`;
    case 'minItems':
      return `must have at least ${formatCount(limit, 'item')}`;
    case 'maxItems':
      return `must have at most ${formatCount(limit, 'item')}`;
    case 'minProperties':
      return `must have at least ${formatCount(limit, 'field')}`;
    case 'maxProperties':
      return `must have at most ${formatCount(limit, 'key')}`;
    case 'uniqueItems':
      return 'must not repeat an item';
    case 'minimum':
      return `must be at least ${limit}`;
    case 'maximum':
      return `must be at most ${limit}`;
    case 'pattern':
      return PATTERNS[String(params['pattern'])] ?? 'has the wrong form';
    case 'format':
      return FORMATS[String(params['format'])] ?? 'has the wrong form';
    default:
      return message ?? `breaks the rule ${typeof schema === 'string' ? schema : keyword}`;
  }
}

function formatTypes(type: unknown): string {
  const names = String(type).split(',');
  return names
    .map((name) => (name === 'null' ? name : `${/^[aeiou]/.test(name) ? 'an' : 'a'} ${name}`))
    .join(' or ');
}

function formatCount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
