import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../support/stack.ts';

export const statementFile = join(root, 'services/group-ledger/statements/create-groups.sql');

const SLOTS = 5;

/** One value for each group of the statement, in the order of their ids. */
const each = (expression: string) => `(select array_agg(${expression} order by id) from ids)`;
/** One value for each slot: those of a group stand together. `n` is the slot's place. */
const eachSlot = (expression: string) =>
  `(select array_agg(${expression} order by id, n) from ids, generate_series(1, ${SLOTS}) as n)`;

const INSTRUCTION = `{"key": "expiry of a group", "mode": "test", "owner": "ledger", "revision": 1, "merchant_id": "m1", "timer": {"kind": "group_expiry", "due_at": "2026-11-21", "data": {"step": 0, "group_id": "a", "intent_id": null}}}`;

/** SQL for each parameter: values that the server makes itself, ids in time order as the service's are. */
const parameters: readonly string[] = [
  each('sha256(uuid_send(uuidv7()))'),
  each('sha256(uuid_send(uuidv7()))'),
  each('id'),
  each(`'m1'::text`),
  each(`'test'::text`),
  each(`'Dinner'::text`),
  each('id::text'),
  each('5000::bigint'),
  each(`'EUR'::text`),
  each('null::jsonb'),
  each(`id::text || 'aaaaaaaaaaaaaa'`),
  each(`now() + interval '1 hour'`),
  eachSlot('id'),
  eachSlot('n::smallint'),
  eachSlot('uuidv7()'),
  eachSlot('1000::bigint'),
  eachSlot('null::jsonb'),
  each('id'),
  each(`'${INSTRUCTION}'::jsonb`),
  'uuidv7()',
  'uuidv7()',
  each(`'00-' || replace(uuidv7()::text, '-', '') || '-00f067aa0ba902b7-00'`),
  each('null::text'),
  eachSlot('null::text'),
  each('null::text'),
  each('null::jsonb'),
  each('null::bigint'),
  each('null::smallint'),
  each('null::bigint'),
];

/** The ledger's own create statement for some groups of five slots, as a script of pgbench. */
export function createAsText(groups = 1): string {
  const text = readFileSync(statementFile, 'utf8').trim();
  const filled = text.replaceAll(/\$(\d+)/g, (_, number: string) => {
    const parameter = parameters[Number(number) - 1];
    if (parameter === undefined)
      throw new Error(`the statement has a parameter $${number} that is not known here`);
    return parameter;
  });
  const ids = `with ids as materialized (select uuidv7() as id from generate_series(1, ${groups})), `;
  return `${filled
    .replace(/^with /, ids)
    .replaceAll('\n', ' ')
    .replaceAll(WORD_BEHIND_COLON, ': ')};\n`;
}

/** pgbench takes a word behind a colon for a variable, inside JSON literals too. */
const WORD_BEHIND_COLON = /:(?=[\w"])(?<!::)/g;
