import type { Options, Session } from '../v1.d.ts';

const NAME = 'ServiceGroupPay: ';
const HEX = /^#([\da-f]{3}){1,2}$/i;
/** Only distinguishes an address from a name: the server validates it. */
const EMAIL = /^[^\s@]{1,64}@[^\s@]{1,255}$/;
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

type Rule = readonly [is: (value: unknown) => boolean, what: string];

const isText = (pattern: RegExp) => (value: unknown) => typeof value === 'string' && pattern.test(value);
const isFunction = (value: unknown): boolean => typeof value === 'function';
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

const RULES: Record<keyof Options, Rule> = {
  createSession: [isFunction, 'a function that returns a promise of { token, groupPaymentId }'],
  payerEmail: [isText(EMAIL), 'an e-mail address'],
  locale: [isText(/./), 'a language such as nl or en-GB'],
  theme: [isObject, 'an object'],
  onReady: [isFunction, 'a function'],
  onComplete: [isFunction, 'a function'],
  onError: [isFunction, 'a function'],
};
const THEME_RULES: Record<string, Rule> = {
  accentColor: [isText(HEX), 'a colour like #0a7 or #00aa77'],
};

export const fault = (message: string): TypeError => new TypeError(NAME + message);

/** Throws an error that names the invalid option. */
export function assertOptions(options: unknown): asserts options is Options {
  if (!isObject(options)) throw fault('options must be an object');
  assertKnown(RULES, options, '');
  if (options['createSession'] === undefined) throw fault('createSession is required');
  if (isObject(options['theme'])) assertKnown(THEME_RULES, options['theme'], 'theme.');
}

function assertKnown(rules: Record<string, Rule>, values: Record<string, unknown>, path: string): void {
  for (const name of Object.keys(values)) {
    const rule = Object.hasOwn(rules, name) && rules[name];
    if (!rule) throw fault(`${path}${name} is not an option`);
    if (values[name] !== undefined && !rule[0](values[name]))
      throw fault(`${path}${name} must be ${rule[1]}`);
  }
}

/** Reads the session that a merchant's backend returned. The API's own response is accepted too. */
export function parseSession(given: unknown): Session {
  const { token, groupPaymentId, group_payment_id: apiName } = isObject(given) ? given : {};
  const id = groupPaymentId ?? apiName;
  if (typeof token !== 'string' || !token) throw fault('createSession gave no token');
  if (typeof id !== 'string' || !UUID.test(id)) throw fault('createSession gave no groupPaymentId');
  return { token, groupPaymentId: id };
}
