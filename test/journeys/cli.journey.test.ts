import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EVENT_TYPES } from '@gp/contracts';
import { verifyWebhook } from '@group-payments/client/webhooks';
import { Webhook } from 'standardwebhooks';
import Stripe from 'stripe';
import { merchantApi, type Group } from '../support/api.ts';
import { openCli, type Cli } from '../support/cli.ts';
import { openEndpoint, type Endpoint } from '../support/endpoint.ts';
import { openSharedStack, type SharedStack } from '../support/shared-stack.ts';
import { findMerchant } from '../support/stack.ts';

type Event = {
  readonly id: string;
  readonly type: string;
  readonly data: { readonly group_payment_id: string };
};

const TOGETHER = 4;
const GATEWAYS = ['gateway_a', 'gateway_b', 'gateway_c'] as const;
let shared: SharedStack;
let cli: Cli;

beforeAll(async () => {
  shared = await openSharedStack({ merchants: GATEWAYS });
  cli = await openCli();
  for (const gateway of GATEWAYS) {
    const { test_key } = findMerchant(shared.stack, gateway);
    const login = ['login', '--profile', gateway, '--url', shared.stack.api];
    expect(await cli.gp(login, test_key)).toMatchObject({
      exitCode: 0,
      out: expect.stringContaining('test mode'),
    });
  }
  await cli.gp(['profiles', 'use', 'gateway_b']);
});
afterAll(async () => {
  await cli?.close();
  await shared?.close();
});

const create = async (...args: string[]): Promise<string> =>
  (await cli.json<Group>(['payments', 'create', ...args])).group_payment.id;

describe('gp payments', () => {
  it.each(GATEWAYS)('a group is created, paid slot by slot and shown with %s', async (gateway) => {
    const as = ['--profile', gateway];
    const id = await create('--amount', '20', '--slots', '2', '--name', 'From a shell', ...as);
    const refusing = ['payments', 'pay', id, '--slots', '1', '--card', 'declined', ...as];
    const declined = await cli.gp([...refusing, '--json']);
    expect([declined.exitCode, declined.out]).toEqual([1, '']);
    expect(JSON.parse(declined.err)).toEqual({
      error: {
        code: 'payment_failed',
        message: expect.stringMatching(/^The payment [\da-f-]+ failed: .*declined/),
        payment_intent_id: expect.any(String),
        failure: expect.objectContaining({ code: 'card_declined' }),
      },
    });
    const challenged = ['--card', 'authenticated', '--email', 'bo@example.com'];
    const [first, last] = [
      await cli.json<Group>(['payments', 'pay', id, '--slots', '1', ...as]),
      await cli.json<Group>(['payments', 'pay', id, ...challenged, ...as]),
    ];
    expect(first.group_payment.state).toBe('partially_preauthorised');
    expect(last.group_payment.state).toBe('paid');
    const shown = await cli.gp(['payments', 'show', id, ...as]);
    expect(shown.out).toMatch(/From a shell: 20\.00 EUR, paid\n[^]*bo@example\.com +captured +10\.00 EUR/);
    expect((await cli.gp(['payments', 'list', '--state', 'paid', ...as])).out).toContain(id);
  });

  it('a group is shown with the labels of its slots, and without a gap where none has one (Q71)', async () => {
    const { test_key } = findMerchant(shared.stack, 'gateway_b');
    const made = await merchantApi(shared.stack.api, test_key).createGroup({
      group_name: 'Labelled',
      total_amount: 30,
      currency: 'EUR',
      expires_at: new Date(Date.now() + 3_600_000).toISOString(),
      distribution: { type: 'equally', number_of_slots: 3, slot_labels: ['Starter and wine', null, 'نرگس'] },
    });
    const { out } = await cli.gp(['payments', 'show', made.group_payment.id]);
    expect(out.trimEnd().split('\n').slice(-4)).toEqual([
      'Slots:',
      ...made.payment_slots.map(({ id, sequence_no, label }) => {
        const row = `  ${sequence_no}  10.00 EUR  unassigned  ${id}`;
        return label === undefined ? row : `${row}  ${label}`;
      }),
    ]);
  });

  it('a group is created with labels of its slots, in parts that are equal or not (Q71)', async () => {
    const readLabels = async (id: string): Promise<unknown> =>
      (await cli.json<Group>(['payments', 'show', id])).payment_slots.map(({ label }) => label);
    const labels = ['--label', 'Starter, and wine', '--label', '', '--label', 'Dessert'];
    expect(await readLabels(await create('--amount', '40', '--slots', '4', ...labels))).toEqual([
      'Starter, and wine',
      undefined,
      'Dessert',
      undefined,
    ]);
    const split = await create('--split', '1,2,3', ...labels);
    expect(await readLabels(split)).toEqual(['Starter, and wine', undefined, 'Dessert']);
    const refused = await cli.gp(['payments', 'create', '--amount', '1', ...labels]);
    expect([refused.exitCode, refused.err]).toEqual([2, expect.stringContaining('--label is given 3 times')]);
  });

  it('a minimum from which an expiry captures is set by an amount or a number of slots, and shown (Q90)', async () => {
    const byAmount = await create('--amount', '30', '--slots', '3', '--minimum-amount', '12.50');
    expect((await cli.gp(['payments', 'show', byAmount])).out).toContain('captured then from 12.50 EUR on');
    const bySlots = await create('--amount', '30', '--slots', '3', '--minimum-slots', '2');
    expect((await cli.gp(['payments', 'show', bySlots])).out).toContain('captured then from 2 held slots on');
  });

  it('a limit of tips is set and shown, and a payment has its tip (Q91)', async () => {
    const id = await create('--amount', '30', '--slots', '3', '--max-tip', '5');
    expect((await cli.gp(['payments', 'show', id])).out).toContain('up to 5.00 EUR for each payment');
    expect((await cli.gp(['payments', 'pay', id, '--slots', '1', '--tip', '2.50'])).out).toContain(
      '12.50 EUR authorised',
    );
    const refused = await cli.gp(['payments', 'pay', id, '--slots', '2', '--tip', '5.01']);
    expect([refused.exitCode, refused.err]).toEqual([1, expect.stringContaining('at most 5.00 EUR')]);
  });

  it('a refund of a slot and of the rest, a cancel, and a refusal with its reason', async () => {
    const id = await create('--split', '10.50,4.50', '--metadata', 'table=12', '--reference', 'order-7');
    await cli.json(['payments', 'pay', id, '--slots', '1']);
    await cli.json(['payments', 'pay', id, '--slots', '2', '--email', 'bo@example.com']);
    expect((await cli.gp(['payments', 'refund', id, '--slots', '2'])).out).toContain('partially_refunded');
    expect((await cli.gp(['payments', 'refund', id])).out).toContain('is refunded');
    expect((await cli.gp(['payments', 'list', '--reference', 'order-7'])).out).toContain(id);
    const refused = await cli.gp(['payments', 'cancel', id]);
    expect([refused.exitCode, refused.out]).toEqual([1, '']);
    expect(refused.err).toMatch(
      /\(409 \w+\)\nthe state .* is refunded.*\nhttp.*#error-\w+\nRequest: req_\w+\n$/,
    );
    const other = await create('--amount', '1');
    expect((await cli.gp(['payments', 'cancel', other])).out).toContain('cancelled');
    expect((await cli.gp(['payments', 'show', other.replace(/^./, 'x')])).exitCode).toBe(1);
  });

  it('an expiry is counted from the test clock, which a command advances and resets', async () => {
    expect((await cli.gp(['clock', 'advance', '2h'])).out).toMatch(/ahead seconds: 72\d\d\n[^]*settled/);
    await create('--amount', '1', '--expires-in', '1h');
    expect((await cli.gp(['clock', 'reset'])).out).toContain('ahead seconds: 0');
  });
});

describe('gp trigger', () => {
  it('every event but those of a dispute happens for real, and its stream delivers it', async () => {
    const types = EVENT_TYPES.filter((type) => !type.startsWith('payment_intent.dispute'));
    const triggered: Event[] = [];
    // Each follows a stream of its own, of which a merchant has a few.
    for (let at = 0; at < types.length; at += TOGETHER) {
      const some = types.slice(at, at + TOGETHER);
      const trigger = (type: string) => cli.json<Event>(['--profile', 'gateway_a', 'trigger', type]);
      triggered.push(...(await Promise.all(some.map(trigger))));
    }
    expect(triggered.map(({ type }) => type)).toEqual(types);
    const [{ id } = { id: '' }] = triggered;
    expect(await cli.json(['events', 'show', id, '--profile', 'gateway_a'])).toEqual(triggered[0]);
  });

  it('a dispute is sent as a test event to the endpoints, and refused where there is none', async () => {
    const refused = await cli.gp(['trigger', 'payment_intent.disputed', '--profile', 'gateway_c']);
    expect([refused.exitCode, refused.err]).toEqual([1, expect.stringContaining('none is registered')]);
  });
});

describe('gp customers', () => {
  it('customers are listed, found by address, and shown with their sums and payments (Q60–Q62)', async () => {
    const id = await create('--split', '10.50,4.50');
    await cli.json(['payments', 'pay', id, '--slots', '1', '--email', 'cleo.cli@example.com']);
    const found = ['customers', 'list', '--email', 'Cleo.Cli@example.com'];
    const [customer] = await cli.json<{ customer_id: string }[]>(found);
    const of = customer?.customer_id ?? '';
    expect((await cli.gp(found)).out).toMatch(new RegExp(`^${of} +cleo\\.cli@example\\.com `));
    expect((await cli.gp(['customers', 'list', '--limit', '100'])).out).toContain('cleo.cli@example.com');
    const none = ['customers', 'list', '--until', '2020-01-01T00:00:00Z'];
    expect((await cli.gp(none)).out).toBe('There are none.\n');
    const shown = await cli.gp(['customers', 'show', of]);
    expect(shown.out).toContain('0.00 EUR captured  0.00 EUR refunded  10.50 EUR on hold\n');
    const payment = `Payments: 1 preauthorised\\n .* preauthorised +10\\.50 EUR +${id}\\n$`;
    expect(shown.out).toMatch(new RegExp(payment));
  });
});

describe('gp balance', () => {
  it('balance and statement are shown by gateway and currency, and as the API returns them (Q46, Q47)', async () => {
    const profile = ['--profile', 'gateway_b'];
    const shown = await cli.gp(['balance', 'show', ...profile]);
    expect(shown.out).toMatch(/^gateway_b +[\d.]+ EUR on hold +[\d.]+ EUR captured/m);
    const { balances } = await cli.json<{ balances: object[] }>(['balance', 'show', ...profile]);
    expect(balances).toContainEqual(expect.objectContaining({ psp_code: 'gateway_b', currency: 'EUR' }));
    const old = ['balance', 'statement', '--from', '2020-01-01', ...profile];
    expect((await cli.gp(old)).out).toBe('2020-01-01 to 2020-01-31, UTC\n\nThere was none.\n');
    const recent = await cli.gp(['balance', 'statement', '--time-zone', 'Europe/Madrid', ...profile]);
    expect(recent.out).toMatch(/, Europe\/Madrid\n\ngateway_b +held +released +captured/);
    expect(recent.out).toMatch(/^closing +[\d.]+ EUR +[\d.]+ EUR$/m);
    const wrong = await cli.gp(['balance', 'statement', '--to', 'today', ...profile]);
    expect([wrong.exitCode, wrong.err]).toEqual([1, expect.stringContaining('to: must be a day')]);
  });
});

describe('gp logs', () => {
  it('requests are listed, shown with their bodies, and printed as they are made (Q40)', async () => {
    const id = await create('--amount', '3', '--name', 'Logged');
    const path = `/v1/group-payments/${id}/session`;
    const tail = cli.start(['logs', 'tail', '--method', 'post']);
    await tail.until(({ err }) => err.includes('Waiting for requests'));
    const { stack } = shared;
    const { test_key } = findMerchant(stack, 'gateway_b');
    const sent = await fetch(stack.api + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${test_key}` },
    });
    await sent.arrayBuffer();
    const requestId = sent.headers.get('request-id') ?? '';
    await tail.until(({ out }) => out.includes(`${path}  201`) && out.includes(requestId));
    expect((await tail.interrupt()).exitCode).toBe(0);
    expect((await cli.gp(['logs', 'list', '--path', path])).out).toContain(requestId);
    expect((await cli.gp(['logs', 'list', '--request', requestId, '--status', '4xx'])).out).toBe(
      'There are none.\n',
    );
    const shown = await cli.json<object>(['logs', 'show', requestId]);
    expect(shown).toMatchObject({ path, status: 201, response_body: { token: '[redacted]' } });
    const unknown = await cli.gp(['logs', 'show', 'req_none']);
    expect([unknown.exitCode, unknown.err]).toEqual([1, expect.stringContaining('no request req_none')]);
  });
});

describe('gp listen', () => {
  let endpoint: Endpoint;
  beforeAll(async () => {
    endpoint = await openEndpoint((nth) => (nth === 0 ? 500 : 200));
  });
  afterAll(() => endpoint?.close());

  it('a type of event that the platform does not know ends the command before it waits', async () => {
    for (const command of [
      ['listen', '--forward-to', endpoint.url],
      ['events', 'tail'],
    ]) {
      const refused = await cli.gp([...command, '--events', 'group_payment.paid,group_payment.payd']);
      expect([refused.exitCode, refused.err]).toEqual([1, expect.stringContaining('group_payment.paid')]);
      expect(refused.err).not.toContain('Waiting for events');
    }
  });

  it('events are forwarded once each, as the platform sends them, over a connection that is cut again and again', async () => {
    const cutter = await openCutter(shared.stack.api);
    const { test_key } = findMerchant(shared.stack, 'gateway_b');
    await cli.gp(['login', '--profile', 'cut', '--url', cutter.url], test_key);
    const secret = (await cli.gp(['listen', '--print-secret'])).out.trim();
    const listening = cli.start(['listen', '--forward-to', endpoint.url.replace('http://', '')]);
    const tailing = cli.start(['events', 'tail', '--json', '--events', 'group_payment.paid']);
    await listening.until(({ err }) => err.includes('Waiting for events'));
    await tailing.until(({ err }) => err.includes('Waiting for events'));
    const id = await create('--amount', '20', '--slots', '2', '--profile', 'gateway_b');
    await cli.json(['payments', 'pay', id, '--slots', '1', '--profile', 'gateway_b']);
    await listening.until(({ out }) => out.includes('preauthorised'));
    cutter.cut();
    await cli.json(['payments', 'pay', id, '--profile', 'gateway_b']);
    const { out } = await listening.until((printed) => printed.out.includes('group_payment.paid'));
    expect(out).toMatch(/payment_intent\.preauthorised .* -> 500 \(\d+ ms\)\n/);
    const { headers, raw, event } = await endpoint.accepted('group_payment.paid', id);
    expect(
      await verifyWebhook({ rawBody: raw, signature: String(headers['service-signature']), secret }),
    ).toEqual(event);
    const { webhooks } = new Stripe('sk_unused');
    expect(webhooks.constructEvent(raw, String(headers['service-signature']), secret).type).toBe(event.type);
    expect(new Webhook(secret).verify(raw, headers as Record<string, string>)).toEqual(event);
    const list = ['events', 'list', '--group', id, '--profile', 'gateway_b'];
    const happened = (await cli.json<Event[]>(list)).map((each) => each.id);
    expect(endpoint.deliveries.map((delivery) => delivery.event.id).toSorted()).toEqual(happened.toSorted());
    expect(happened.length).toBeGreaterThanOrEqual(5);
    const tailed = await tailing.until((printed) => printed.out.includes(id));
    expect(JSON.parse(tailed.out.trim())).toEqual(event);
    expect(cutter.cuts()).toBeGreaterThan(0);
    expect(await listening.interrupt()).toMatchObject({
      exitCode: 0,
      err: expect.stringContaining('Connected again'),
    });
    expect(await tailing.interrupt()).toMatchObject({ exitCode: 0 });
    await cutter.close();
  });
});

/** A door to the API that can cut every connection that goes through it. */
async function openCutter(api: string) {
  const open = new Set<() => void>();
  let cuts = 0;
  const server = createServer((asked, answer) => {
    const { method, url, headers } = asked;
    const cut = (): void => void answer.destroy();
    open.add(cut);
    answer.once('close', () => open.delete(cut));
    const onward = request(new URL(url ?? '/', api), { method, headers }, (given) => {
      answer.writeHead(given.statusCode ?? 502, given.headers);
      given.pipe(answer);
    });
    answer.once('close', () => onward.destroy());
    onward.on('error', cut);
    asked.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cuts: () => cuts,
    cut(): void {
      cuts += open.size;
      open.forEach((end) => end());
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
