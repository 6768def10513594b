import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findTool } from '@gp/testing';
import { SHOWN, writeFacts } from '../packages/sample-facts.ts';
import type { Json, MerchantApi } from '../support/api.ts';
import { openEndpoint, type Delivery, type Endpoint } from '../support/endpoint.ts';
import { listGuideBlocks } from '../support/guide-blocks.ts';
import { inSeconds, newGroup, openApi, payer } from '../support/journey.ts';
import { buildConfirmRequest, cards } from '../support/payer.ts';
import { openRequests, type Requests } from '../support/requests.ts';
import { openSharedStack, type SharedStack } from '../support/shared-stack.ts';
import { findMerchant } from '../support/stack.ts';

type Examples = Record<string, { value: Json }>;
type Operation = {
  readonly operationId: string;
  readonly requestBody?: { readonly content: Record<string, { readonly examples?: Examples }> };
};
type Description = {
  readonly info: { readonly description: string };
  readonly paths: Record<string, Record<string, Operation>>;
};

/** Stands in a guide for what the reader puts there. */
const LEFT_OUT = '…';

let folder: string;
let shared: SharedStack;
let api: MerchantApi;
let http: Requests;
let endpoint: Endpoint;
let served: Description;
let guides: string;
/** A delivery as an endpoint gets it, and the secret of that endpoint. */
let delivery: Delivery;
let secret: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'guide-fragments-'));
  shared = await openSharedStack({ merchants: ['gateway_b'] });
  const merchant = findMerchant(shared.stack, 'gateway_b');
  api = openApi(shared.stack, merchant);
  http = openRequests(shared.stack.api, merchant.test_key);
  endpoint = await openEndpoint();
  served = (await (await fetch(`${shared.stack.api}/openapi.json`)).json()) as Description;
  guides = served.info.description;
  ({ secret } = await api.client.createWebhook({ url: endpoint.url }));
  const { id } = (await newGroup(api, 1)).group_payment;
  await api.client.cancelGroupPayment(id);
  delivery = await endpoint.accepted('group_payment.cancelled', id);
}, 240_000);
afterAll(async () => {
  await endpoint?.close();
  await shared?.close();
  await rm(folder, { recursive: true, force: true });
});

const listOperations = () =>
  Object.entries(served.paths).flatMap(([path, methods]) =>
    Object.values(methods).map((operation) => ({ ...operation, path })),
  );

/** Lists the examples of an operation's body, as they are served: their dates are in the near future. */
function listExamples(id: string) {
  const operation = listOperations().find(({ operationId }) => operationId === id);
  const examples = operation?.requestBody?.content['application/json']?.examples ?? {};
  return Object.entries(examples).map(([name, { value }]) => ({ name, value }));
}

const findTexts = (heading: string, language: string): string[] =>
  listGuideBlocks(guides, heading)
    .filter((block) => block.language === language)
    .map(({ text }) => text);

/** Reads a block of JSON; one that is only a field of an object is read as that object. */
const readJson = (text: string): Json => JSON.parse(text.startsWith('{') ? text : `{${text}}`) as Json;
const findFragments = (heading: string): Json[] => findTexts(heading, 'json').map(readJson);

describe('fragments of JSON in the guides', () => {
  it('every fragment of JSON in the guides is sent or compared, here and in the long test of gateway faults', () => {
    const counted = Object.fromEntries(
      [...guides.matchAll(/^# (.+)$/gm)].flatMap(([, heading = '']) => {
        const { length } = findTexts(heading, 'json');
        return length > 0 ? [[heading, length]] : [];
      }),
    );
    expect(counted).toEqual({ Errors: 1, Testing: 1, 'What payers see': 6 });
  });

  it('the error of "Errors" is the answer to the request it is about', async () => {
    const [shown] = findFragments('Errors');
    const { status, body } = await http.post('/v1/group-payments', {
      group_name: 'A bill of a guide',
      total_amount: 0,
      currency: 'EUR',
      expires_at: inSeconds(3_600),
      distribution: { type: 'equally', number_of_slots: 2 },
    });
    const doc_url = String(shown?.['doc_url']).replace('https://api.example.com', shared.stack.api);
    expect({ status, body }).toEqual({
      status: 400,
      body: { ...shown, doc_url, request_id: expect.stringMatching(/^req_/) as unknown },
    });
  });

  it('the slots of "What payers see" have the labels they are given, its organiser has the rights, its minimum stands, and it takes tips', async () => {
    const [labels, organiser, minimum, tips] = findFragments('What payers see');
    const [example] = listExamples('createGroupPayment');
    const fields = { ...example?.value, ...labels, ...organiser, ...minimum, ...tips };
    const { status, body } = await http.post('/v1/group-payments', fields);
    expect({ status, body }).toMatchObject({ status: 201 });
    const { payment_slots, ...created } = body;
    const { slots } = labels?.['distribution'] as { slots: object[] };
    expect(payment_slots).toMatchObject(slots);
    const { may, latest_expires_at } = organiser?.['organiser'] as Json;
    const latest = new Date(String(latest_expires_at)).toISOString();
    expect(created).toMatchObject({
      group_payment: { organiser: { may, latest_expires_at: latest }, ...minimum, ...tips },
      organiser_url: expect.stringContaining('/o/') as unknown,
    });
  });

  it('the confirm of "3-D Secure on gateway_b" sends the payer to the bank, and the answer is the one shown', async () => {
    const [, , , , request, answer] = findFragments('What payers see');
    const group = await newGroup(api, 1);
    const { id } = group.group_payment;
    const pay = await api.pay(id, { customer_email: 'ana@example.com' });
    const who = payer('challenged', cards.authenticated);
    const { card, payment_intent_id } = await buildConfirmRequest(shared.stack, pay, who);
    const real: Json = { card, payment_intent_id, return_url: group.checkout_url };
    expect(Object.keys(request ?? {}).toSorted()).toEqual(Object.keys(real).toSorted());
    const shownFields = Object.keys(request?.['card'] as object).filter((field) => field !== LEFT_OUT);
    expect(Object.keys(card)).toEqual(expect.arrayContaining(shownFields));
    const { status, body } = await http.post(`/v1/group-payments/${id}/confirm`, real);
    const url = expect.stringMatching(/^http/) as unknown;
    const { next_action, ...shown } = answer as { next_action: object };
    expect({ status, body }).toEqual({
      status: 200,
      body: { ...shown, next_action: { ...next_action, url } },
    });
  });
});

it('the request of "Idempotency", sent twice, pays once and is answered twice alike', async () => {
  const [text = ''] = findTexts('Idempotency', 'http');
  const group = await newGroup(api, 2);
  const facts = { [SHOWN.id]: group.group_payment.id };
  const [line = '', ...fields] = writeFacts(text, facts).split('\n');
  const [method, path = ''] = line.split(' ');
  const headers = Object.fromEntries(fields.map((field) => field.split(': ') as [string, string]));
  expect([method, Object.keys(headers)]).toEqual(['POST', ['Idempotency-Key']]);
  const body = { customer_email: 'ana@example.com', slot_ids: [group.payment_slots[0]?.id] };
  const first = await http.post(path, body, headers);
  const second = await http.post(path, body, headers);
  expect([first.status, second.status, second.body]).toEqual([201, 201, first.body]);
  expect(second.headers.get('idempotent-replayed')).toBe('true');
  expect((await api.client.listPayments(group.group_payment.id)).payments).toHaveLength(1);
});

describe('the verification of "Webhooks"', () => {
  const LATE_S = 301;

  /** Runs the function of the guide in a process of its own; returns what it says of a delivery. */
  async function isGenuine(o: { raw?: string; header?: string; key?: string } = {}): Promise<string> {
    const file = join(folder, 'is-genuine.ts');
    const [text = ''] = findTexts('Webhooks', 'ts');
    const call = `const [raw = '', header = '', key = ''] = process.argv.slice(2);\nprocess.stdout.write(String(isGenuine(Buffer.from(raw), header, key)));\n`;
    await writeFile(file, `${text}\n\n${call}`);
    const given = String(delivery.headers['service-signature']);
    const args = [file, o.raw ?? delivery.raw, o.header ?? given, o.key ?? secret];
    return (await promisify(execFile)(process.execPath, args)).stdout;
  }

  it('the function accepts a delivery, and refuses one that was altered, is late, or has another secret', async () => {
    const t = Math.floor(Date.now() / 1_000) - LATE_S;
    const late = `t=${t},v1=${createHmac('sha256', secret).update(`${t}.${delivery.raw}`).digest('hex')}`;
    expect(await isGenuine()).toBe('true');
    expect(await isGenuine({ raw: delivery.raw.replace('cancelled', 'paid') })).toBe('false');
    expect(await isGenuine({ header: late })).toBe('false');
    expect(await isGenuine({ header: 'v1=' })).toBe('false');
    expect(await isGenuine({ key: `${secret}x` })).toBe('false');
  });

  const openssl = findTool('openssl', 'the signature of a webhook in a shell');
  it.each(openssl === undefined ? [] : ['sh', 'bash'])(
    'the command in %s prints the signature of a delivery',
    async (shell) => {
      const command = /`(\{ printf [^`]+)`/.exec(guides)?.[1] ?? '';
      const { t, v1 } = Object.fromEntries(
        String(delivery.headers['service-signature'])
          .split(',')
          .map((part) => part.split('=') as [string, string]),
      );
      await writeFile(join(folder, 'body.json'), delivery.raw);
      const env = { ...process.env, t, secret };
      const { stdout } = await promisify(execFile)(shell, ['-euc', command], { cwd: folder, env });
      expect(stdout.trim().split(' ').at(-1)).toBe(v1);
    },
  );
});

it('every example of an operation that has several is accepted', async () => {
  const several = listOperations().filter(({ operationId }) => listExamples(operationId).length > 1);
  expect(several.map(({ operationId }) => operationId)).toEqual([
    'createGroupPayment',
    'payGroupPayment',
    'createTestPayment',
  ]);
  for (const { operationId, path } of several)
    for (const { name, value } of listExamples(operationId)) {
      const group = await newGroup(api, 3);
      const { id } = group.group_payment;
      const facts = { '{id}': id, [SHOWN.slot]: group.payment_slots[0]?.id ?? '' };
      const body = JSON.parse(writeFacts(JSON.stringify(value), facts)) as unknown;
      const { status } = await http.post(writeFacts(path, facts), body);
      expect({ operationId, name, status }).toEqual({ operationId, name, status: 201 });
    }
});
