import { execFileSync } from 'node:child_process';
import { expect, it } from '@jest/globals';
import type { JsonObject } from '../json.ts';
import { addCodeSamples, type CodeSample } from './code-samples.ts';

/** Texts that end a string of some language when they are not escaped. */
const value = { note: `it's "so" \`here\` \\ $HOME`, isPaid: true, none: null, 'a-b': 1 };
const operation: JsonObject = {
  operationId: 'createThing',
  tags: ['Group things'],
  parameters: [
    { name: 'id', in: 'path', example: '0198c0de-0000-7000-8000-000000000001' },
    { $ref: '#/components/parameters/IdempotencyKey' },
  ],
  requestBody: {
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/CreateThingRequest' },
        examples: { first: { value }, second: { value: {} } },
      },
    },
  },
  responses: {},
};
const samples = addCodeSamples({ method: 'POST', path: '/v1/things/{id}' }, operation)[
  'x-codeSamples'
] as readonly CodeSample[];
const find = (label: string): string => samples.find((sample) => sample.label === label)?.source ?? '';

it('a shell hands curl the body of the example, quotes and dollars included', () => {
  const printed = execFileSync('sh', ['-euc', `curl() { printf "%s\\0" "$@"; }\n${find('curl')}`], {
    env: { GROUP_PAYMENTS_KEY: 'sk_test_1' },
  });
  const given = printed.toString().split('\0');
  expect(given).toContain('{base_url}/v1/things/0198c0de-0000-7000-8000-000000000001');
  expect(given).toContain('Authorization: Bearer sk_test_1');
  expect(given).toContain('Idempotency-Key: order-4711-create-thing');
  expect(JSON.parse(given[given.indexOf('-d') + 1] ?? '')).toEqual(value);
});

it('the sample in TypeScript hands the client the id, the body and the key of the example', () => {
  const call = /await client\.createThing\(([^]*)\);\nconsole/.exec(find('TypeScript'))?.[1] ?? '';
  const given = JSON.parse(
    execFileSync(process.execPath, ['-e', `process.stdout.write(JSON.stringify([${call}]))`]).toString(),
  ) as unknown;
  expect(given).toEqual([
    '0198c0de-0000-7000-8000-000000000001',
    value,
    { idempotencyKey: 'order-4711-create-thing' },
  ]);
});

it('the sample in Python writes truth values and None, and names the module and the model of the operation', () => {
  expect(find('Python')).toContain('"isPaid": True,\n    "none": None,');
  expect(find('Python')).toContain('from group_payments.api.group_things import create_thing\n');
  expect(find('Python')).toContain('body = CreateThingRequest.from_dict({');
});

it('the sample in Go escapes a body that would end a raw string', () => {
  const [, literal = ''] = /strings\.NewReader\((".*")\)$/m.exec(find('Go')) ?? [];
  expect(JSON.parse(JSON.parse(literal) as string)).toEqual(value);
});
