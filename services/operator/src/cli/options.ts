import * as contracts from '@gp/contracts';
import { pspCodes } from '@gp/gateway-registry';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/;
const buildChoicePattern = (words: readonly string[]): RegExp => new RegExp(`^(${words.join('|')})$`);

type Option = {
  readonly pattern: RegExp;
  /** Completes the sentence "must be …". */
  readonly is: string;
  readonly sample: string;
  readonly isFlag?: true;
};
const option = (pattern: RegExp, is: string, sample: string): Option => ({ pattern, is, sample });
const flag: Option = { pattern: /^/, is: 'takes no value', sample: '', isFlag: true };

/** All options of commands, with the form each must have. */
export const options = {
  all: flag,
  email: option(/^\S{1,319}@\S{1,319}$/, 'an address', 'ADDRESS'),
  expires: option(INSTANT, 'an instant with its offset, 2030-01-31T12:00:00Z', 'INSTANT'),
  file: option(/^.{1,4096}$/, 'the path of a file', 'FILE'),
  from: option(INSTANT, 'an instant with its offset, 2030-01-31T12:00:00Z', 'INSTANT'),
  group: option(UUID, 'an id', 'ID'),
  intent: option(UUID, 'an id', 'ID'),
  key: option(contracts.OPERATOR_KEY, 'the public half of a key, O and 55 letters and digits', 'KEY'),
  letter: option(/^\d{1,18}$/, 'the number of a dead letter', 'NUMBER'),
  limit: option(/^(1?\d{1,2}|200)$/, 'at most 200', 'NUMBER'),
  merchant: option(/^\S{1,64}$/, 'the id of a merchant', 'ID'),
  mode: option(buildChoicePattern(['test', 'live']), 'test or live', 'test|live'),
  name: option(contracts.OPERATOR_NAME, 'a name of letters, digits and . _ -', 'NAME'),
  order: option(/^.{1,255}$/, 'the order id of a merchant', 'ORDER'),
  note: option(/^.{1,1000}$/s, 'a word on how', 'TEXT'),
  out: option(/^.{1,4096}$/, 'the path of a new file', 'FILE'),
  psp: option(buildChoicePattern(pspCodes), 'a gateway', pspCodes.join('|')),
  reference: option(/^.{1,200}$/, 'the name of a payment at the gateway', 'REFERENCE'),
  role: option(
    buildChoicePattern(contracts.OPERATOR_ROLES),
    `one of ${contracts.OPERATOR_ROLES.join(', ')}`,
    contracts.OPERATOR_ROLES.join('|'),
  ),
  run: option(UUID, 'an id', 'ID'),
  service: option(buildChoicePattern(contracts.OPERATED), `one of ${contracts.OPERATED.join(', ')}`, 'NAME'),
  task: option(/^\S{1,400}$/, 'the key of a task', 'KEY'),
  to: option(INSTANT, 'an instant with its offset, 2030-01-31T12:00:00Z', 'INSTANT'),
} as const satisfies Record<string, Option>;
export type OptionName = keyof typeof options;

/** What a command line gave, by option. */
export type Given = { readonly [O in OptionName]?: string };
