import type { Options, Session } from '../v1.d.ts';
import { A_COLOR, isText, LOOK_RULES, type Rule } from './look.ts';

const NAME = 'ServiceGroupPay: ';
const HEX = /^#([\da-f]{3}){1,2}$/i;
/** Only distinguishes an address from a name: the server validates it. */
const EMAIL = /^[^\s@]{1,64}@[^\s@]{1,255}$/;
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

const isFunction = (value: unknown): boolean => typeof value === 'function';
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

const RULES: Record<keyof Options, Rule> = {
  createSession: [isFunction, 'a function that returns { token, groupPaymentId }'],
  payerEmail: [isText(EMAIL), 'an e-mail address'],
  locale: [isText(/./), 'a language such as nl or en-GB'],
  theme: [isObject, 'an object'],
  onReady: [isFunction, 'a function'],
  onComplete: [isFunction, 'a function'],
  onError: [isFunction, 'a function'],
};
export const THEME_RULES: Record<string, Rule> = {
  accentColor: [isText(HEX), A_COLOR],
  ...LOOK_RULES,
};

export const fault = (message: string): TypeError => new TypeError(NAME + message);

/**
 * Returns a copy of the options. Throws an error that names the invalid one; an invalid look is logged as an error instead,
 * and left out.
 */
export function parseOptions(options: unknown): Options {
  keepValid({ options: RULES.theme }, { options: options ?? null }, '');
  const { theme, ...valid } = keepValid(RULES, options as object, '');
  if (!valid['createSession']) throw fault('createSession is required');
  return { ...valid, theme: keepValid(THEME_RULES, theme ?? {}, 'theme.') } as unknown as Options;
}

/** Returns the values that keep to their rules. */
export function keepValid(rules: Record<string, Rule>, values: object, path: string) {
  const valid: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(values)) {
    const rule = Object.hasOwn(rules, name) && rules[name];
    if (!rule) throw fault(`${path}${name} is not an option`);
    if (value === undefined) continue;
    const [is, what, isIgnored] = rule;
    const wrong = fault(`${path}${name} must be ${what}`);
    if (is(value)) valid[name] = value;
    else if (isIgnored) console.error(wrong.message);
    else throw wrong;
  }
  return valid;
}

/** Reads the session that a merchant's backend returned. The API's own response is accepted too. */
export function parseSession(given: unknown): Session {
  const { token, groupPaymentId, group_payment_id: apiName } = Object(given) as Record<string, unknown>;
  const id = groupPaymentId ?? apiName;
  if (typeof token !== 'string' || !token) throw fault('createSession gave no token');
  if (typeof id !== 'string' || !UUID.test(id)) throw fault('createSession gave no groupPaymentId');
  return { token, groupPaymentId: id };
}
