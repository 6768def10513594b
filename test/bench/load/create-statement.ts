import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../support/stack.ts';

export const statementFile = join(root, 'services/group-ledger/statements/create-groups.sql');

const SLOTS = 5;
const numbers = Array.from({ length: SLOTS }, (_, index) => index + 1).join(', ');
const fiveTimes = (expression: string) => `array_fill(${expression}, array[${SLOTS}])`;

/** SQL for each parameter: values that the server makes itself, ids in time order as the service's are. */
const parameters: readonly string[] = [
  'array[sha256(uuid_send(uuidv7()))]',
  'array[sha256(uuid_send(uuidv7()))]',
  'array[(select id from ids)]',
  `array['m1']`,
  `array['test']`,
  `array['Dinner']`,
  `array[(select id from ids)::text]`,
  'array[5000::bigint]',
  `array['EUR']`,
  'array[null::jsonb]',
  `array[(select id from ids)::text || 'aaaaaaaaaaaaaa']`,
  `array[now() + interval '1 hour']`,
  fiveTimes('(select id from ids)'),
  `array[${numbers}]::smallint[]`,
  `array[${Array.from({ length: SLOTS }, () => 'uuidv7()').join(', ')}]`,
  fiveTimes('1000::bigint'),
  fiveTimes('null::jsonb'),
  'array[(select id from ids)]',
  `array['{"key": "expiry of a group", "mode": "test", "owner": "ledger", "revision": 1, "merchant_id": "m1", "timer": {"kind": "group_expiry", "due_at": "2026-11-21", "data": {"step": 0, "group_id": "a", "intent_id": null}}}'::jsonb]`,
  'uuidv7()',
  'uuidv7()',
  `array['00-' || replace(uuidv7()::text, '-', '') || '-00f067aa0ba902b7-00']`,
  'array[null::text]',
  fiveTimes('null::text'),
  'array[null::text]',
  'array[null::jsonb]',
  'array[null::bigint]',
  'array[null::smallint]',
  'array[null::bigint]',
];

/** The ledger's own create statement, one group of five slots, for a client that can only send text. */
export function createAsText(): string {
  const text = readFileSync(statementFile, 'utf8').trim();
  const filled = text.replaceAll(/\$(\d+)/g, (_, number: string) => {
    const parameter = parameters[Number(number) - 1];
    if (parameter === undefined)
      throw new Error(`the statement has a parameter $${number} that is not known here`);
    return parameter;
  });
  return filled.replace(/^with /, 'with ids as materialized (select uuidv7() as id), ').replaceAll('\n', ' ');
}
