import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openRequests } from '../support/requests.ts';
import { openSharedStack, type SharedStack } from '../support/shared-stack.ts';
import { findMerchant } from '../support/stack.ts';

type Example = { readonly value: unknown };
type Document = {
  readonly paths: Record<
    string,
    { post: { requestBody: { content: Record<string, { examples: object }> } } }
  >;
};

let shared: SharedStack;
let key: string;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'first-request-'));
  shared = await openSharedStack({ merchants: ['gateway_b'] });
  key = findMerchant(shared.stack, 'gateway_b').test_key;
});
afterAll(async () => {
  await shared?.close();
  await rm(folder, { recursive: true, force: true });
});

const read = async (path: string) => (await fetch(`${shared.stack.api}${path}`)).text();

/** The text of the first example on the page in which this stands, as a reader copies it. */
async function copyExample(of = ''): Promise<string> {
  const examples = [...(await read('/docs')).matchAll(/<pre[^>]*>([^]*?)<\/pre>/g)].map(
    ([, shown = '']) => shown,
  );
  const entities: Record<string, string> = { quot: '"', '#39': "'", lt: '<', gt: '>', amp: '&' };
  const texts = examples.map((shown) =>
    shown.replaceAll(/<[^>]+>/g, '').replaceAll(/&([\w#]+);/g, (_, name: string) => entities[name] ?? ''),
  );
  return texts.find((text) => text.includes(of)) ?? '';
}

/** Runs the text in this shell, where a function stands in for curl and prints what it is given; sends what that was. */
async function send(
  shell: string,
  text: string,
  more: Record<string, string> = {},
): Promise<{ status: number; body: Record<string, unknown> }> {
  const curl = 'curl() { printf "%s\\0" "$@"; }';
  const env = { GROUP_PAYMENTS_KEY: key, ...more };
  const printed = execFileSync(shell, ['-euc', `${curl}\n${text}`], {
    env,
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  }).toString();
  const [url = '', ...options] = printed.split('\0').filter((word) => word !== '-s');
  const headers = new Headers();
  let body = '';
  for (let at = 0; at + 1 < options.length; at += 2) {
    const [option, value = ''] = options.slice(at, at + 2);
    if (option === '-d') body = value;
    else if (option === '-H') headers.set(value.split(': ')[0] ?? '', value.split(': ')[1] ?? '');
    else throw new Error(`no curl is needed for ${option}`);
  }
  const answer = await fetch(url, { method: 'POST', headers, body });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

it('the first example on the page creates a group payment, copied into a shell of either kind', async () => {
  const text = await copyExample();
  const [first, again] = [await send('sh', text), await send('bash', text)];
  expect([first.status, first.body]).toEqual([
    201,
    expect.objectContaining({ checkout_url: expect.any(String) }),
  ]);
  // It has a key for repeats: the second shell gets the same group.
  expect(again).toEqual(first);
});

it('every published example of a create is accepted', async () => {
  const { paths } = JSON.parse(await read('/openapi.json')) as Document;
  const { examples } = paths['/v1/group-payments']!.post.requestBody.content['application/json']!;
  const requests = openRequests(shared.stack.api, key);
  const statuses = await Promise.all(
    Object.entries(examples as Record<string, Example>).map(async ([name, { value }]) => [
      name,
      (await requests.post('/v1/group-payments', value)).status,
    ]),
  );
  expect(statuses).toEqual([
    ['equally', 201],
    ['custom', 201],
    ['organised', 201],
  ]);
});

it('the example of a test payment pays a group as it stands in the guide (Q73)', async () => {
  const created = await send('sh', await copyExample());
  const { id = '' } = created.body['group_payment'] as { id?: string };
  const { status, body } = await send('sh', await copyExample('/test-payments'), { GROUP_PAYMENT_ID: id });
  expect([status, body['failure'], body['customer_email']]).toEqual([201, null, 'ana@example.com']);
  // All slots are paid, so that the captures begin with the answer.
  expect(['preauthorised', 'capture_pending', 'captured']).toContain(body['state']);
});
