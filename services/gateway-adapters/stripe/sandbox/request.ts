import { createHash } from 'node:crypto';
import type { HttpRequest } from '@gp/http';
import {
  type CardInput,
  type Form,
  FormError,
  readSubform,
  type IdempotentCall,
  readListField,
  parseForm,
  readTextField,
} from '@gp/psp-sandbox/kit';
import { amountFault } from './amounts.ts';
import { badRequest } from './errors.ts';
import type { Details } from './payment.ts';

/** Since this version the method list has another name, and the old one is refused. */
const VERSION_WITHOUT_METHOD_TYPES = '2026-09-30';
const MAX_KEY_LENGTH = 255;
const MAX_METADATA = { entries: 50, name: 40, value: 500 };

export function readForm(text: string): Form {
  try {
    return parseForm(text);
  } catch (e) {
    if (e instanceof FormError) throw badRequest(`Invalid request: ${e.message}`);
    throw e;
  }
}

/** Refuses parameters the call does not have, as the real API does. */
export function allowOnly(form: Form, ...names: readonly string[]): void {
  const unknown = Object.keys(form).find((name) => !names.includes(name));
  if (unknown === undefined) return;
  throw badRequest(
    `Received unknown parameter: ${unknown.slice(0, 100)}`,
    unknown.slice(0, 100),
    'parameter_unknown',
  );
}

/** Returns the key of a POST with a digest of the request; a repeated key must have the same digest. */
export function readIdempotentCall(request: HttpRequest, scope: string): IdempotentCall | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined || key === '') return undefined;
  if (typeof key !== 'string' || key.length > MAX_KEY_LENGTH)
    throw badRequest('The idempotency key is too long.');
  const parameters = request.rawBody.toString('utf8').split('&').sort().join('&');
  const path = request.path.replace(/^.*\/v1\//, '/v1/');
  const fingerprint = createHash('sha256').update(`${path}\n${parameters}`).digest('hex');
  return { gateway: 'gateway_a', account: scope, key, fingerprint };
}

export const wantsCharge = (form: Form): boolean => readListField(form, 'expand').includes('latest_charge');

export function parseMetadata(form: Form): Record<string, string> {
  const entries = Object.entries(readSubform(form, 'metadata'));
  const isSane = entries.every(
    ([name, value]) =>
      typeof value === 'string' && name.length <= MAX_METADATA.name && value.length <= MAX_METADATA.value,
  );
  if (!isSane || entries.length > MAX_METADATA.entries) {
    throw badRequest('Metadata takes 50 entries of 40 and 500 characters.', 'metadata');
  }
  return Object.fromEntries(entries) as Record<string, string>;
}

/** Returns a positive whole number; undefined when absent. */
export function parseInteger(form: Form, name: string): number | undefined {
  const text = form[name];
  if (text === undefined) return undefined;
  if (typeof text !== 'string' || !/^[1-9]\d{0,14}$/.test(text)) {
    throw badRequest(`Invalid integer: ${name}`, name, 'parameter_invalid_integer');
  }
  return Number(text);
}

function optionalText(form: Form, name: string, maxLength: number): string | null {
  const text = readTextField(form, name);
  if (text !== undefined && text.length > maxLength) throw badRequest(`Too long: ${name}`, name);
  return text ?? null;
}

export type NewIntent = {
  readonly amount: number;
  readonly currency: string;
  readonly metadata: Record<string, string>;
  readonly details: Pick<
    Details,
    | 'captureMethod'
    | 'applicationFeeMinor'
    | 'automaticMethods'
    | 'description'
    | 'receiptEmail'
    | 'descriptorSuffix'
  >;
};

// prettier-ignore
const CREATE_PARAMETERS = [
  'amount', 'currency', 'capture_method', 'allowed_payment_method_types', 'payment_method_types',
  'automatic_payment_methods', 'application_fee_amount', 'metadata', 'description', 'statement_descriptor_suffix',
  'receipt_email', 'payment_method_options', 'expand',
];

export function readNewIntent(form: Form, apiVersion: string): NewIntent {
  allowOnly(form, ...CREATE_PARAMETERS);
  const amount = parseInteger(form, 'amount');
  const currency = readTextField(form, 'currency')?.toLowerCase();
  if (amount === undefined)
    throw badRequest('Missing required param: amount.', 'amount', 'parameter_missing');
  if (currency === undefined)
    throw badRequest('Missing required param: currency.', 'currency', 'parameter_missing');
  const fault = amountFault(amount, currency);
  if (fault) throw badRequest(fault.message, fault.param, fault.code);
  return { amount, currency, metadata: parseMetadata(form), details: newDetails(form, apiVersion) };
}

function newDetails(form: Form, apiVersion: string): NewIntent['details'] {
  const applicationFeeMinor = parseInteger(form, 'application_fee_amount') ?? null;
  return {
    captureMethod: parseCaptureMethod(form),
    applicationFeeMinor,
    automaticMethods: parseAutomaticMethods(form, apiVersion),
    description: optionalText(form, 'description', 1000),
    receiptEmail: optionalText(form, 'receipt_email', 800),
    descriptorSuffix: optionalText(form, 'statement_descriptor_suffix', 22),
  };
}

function parseCaptureMethod(form: Form): Details['captureMethod'] {
  const method = readTextField(form, 'capture_method') ?? 'automatic_async';
  if (method === 'manual' || method === 'automatic' || method === 'automatic_async') return method;
  throw badRequest('Invalid capture_method.', 'capture_method');
}

function parseAutomaticMethods(form: Form, apiVersion: string): Details['automaticMethods'] {
  if ('payment_method_types' in form && apiVersion.slice(0, 10) >= VERSION_WITHOUT_METHOD_TYPES) {
    throw badRequest(
      'Received unknown parameter: payment_method_types',
      'payment_method_types',
      'parameter_unknown',
    );
  }
  const listed = [
    ...readListField(form, 'allowed_payment_method_types'),
    ...readListField(form, 'payment_method_types'),
  ];
  if (listed.some((type) => type !== 'card'))
    throw badRequest('Only cards are set up here.', 'allowed_payment_method_types');
  if (listed.length > 0) return null;
  const automatic = readSubform(form, 'automatic_payment_methods');
  return { allowRedirects: readTextField(automatic, 'allow_redirects') === 'never' ? 'never' : 'always' };
}

/** Cards that server-side tests name instead of sending a number. */
const NAMED_CARDS: ReadonlyMap<string, string> = new Map([
  ['pm_card_visa', '4242424242424242'],
  ['pm_card_mastercard', '5555555555554444'],
  ['pm_card_amex', '378282246310005'],
  ['pm_card_threeDSecure2Required', '4000000000003220'],
  ['pm_card_chargeDeclined', '4000000000000002'],
  ['pm_card_chargeDeclinedInsufficientFunds', '4000000000009995'],
]);

export type Confirmation = { readonly card: CardInput; readonly returnUrl: string | null };

// prettier-ignore
const CONFIRM_PARAMETERS = [
  'key', 'client_secret', 'payment_method', 'payment_method_data', 'payment_method_options', 'use_stripe_sdk',
  'return_url', 'expand', '_stripe_account', 'receipt_email', 'off_session', 'mandate_data', 'expected_payment_method_type',
  'error_on_requires_action', 'client_attribution_metadata',
];

export function readConfirmation(form: Form): Confirmation {
  allowOnly(form, ...CONFIRM_PARAMETERS);
  return { card: parseCard(form), returnUrl: parseReturnUrl(form) };
}

function parseCard(form: Form): CardInput {
  const named = readTextField(form, 'payment_method');
  if (named !== undefined) {
    const number = NAMED_CARDS.get(named);
    if (number === undefined) {
      throw badRequest(
        `No such PaymentMethod: '${named.slice(0, 100)}'`,
        'payment_method',
        'resource_missing',
      );
    }
    return { number, expMonth: 12, expYear: 2049, cvc: undefined };
  }
  const data = readSubform(form, 'payment_method_data');
  if (readTextField(data, 'type') !== 'card') {
    throw badRequest(
      'You must provide a payment method of type card.',
      'payment_method_data',
      'parameter_missing',
    );
  }
  const card = readSubform(data, 'card');
  return {
    number: readTextField(card, 'number') ?? '',
    expMonth: Number(readTextField(card, 'exp_month') ?? NaN),
    expYear: fullYear(readTextField(card, 'exp_year')),
    cvc: readTextField(card, 'cvc'),
  };
}

const fullYear = (text: string | undefined): number => Number(text ?? NaN) + (text?.length === 2 ? 2000 : 0);

function parseReturnUrl(form: Form): string | null {
  const text = readTextField(form, 'return_url');
  if (text === undefined || text === '') return null;
  const url = URL.parse(text);
  if (url && /^https?:$/.test(url.protocol)) return url.href;
  throw badRequest('The return_url must be an absolute address.', 'return_url', 'url_invalid');
}
