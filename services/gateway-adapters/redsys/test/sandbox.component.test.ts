import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openPg, unprepared } from '@gp/pg';
import { eventually } from '@gp/testing';
import { uuidv7 } from 'uuidv7';
import {
  call,
  type Receiver,
  type Sandbox,
  startReceiver,
  startSandbox,
  type Tester,
  openTester,
} from '@gp/psp-sandbox/test-kit';
import { isSigned, computeMac, type Version } from '../sandbox/signature.ts';
import {
  findFormAction,
  merchantC,
  newOrder,
  openForm,
  operate,
  paidOrder,
  buildParameters,
  submitCard,
  type CardForm,
  type MerchantC,
} from './merchant.ts';

const makeOlder = unprepared(
  `update payments set created_at = created_at - interval '31 minutes' where psp_reference = $1`,
);

let sandbox: Sandbox;
let tester: Tester;
let receiver: Receiver;
let merchant: MerchantC;
let addresses: Record<string, string>;

beforeAll(async () => {
  [sandbox, receiver] = await Promise.all([startSandbox(), startReceiver()]);
  tester = openTester(sandbox.url);
  merchant = await merchantC(sandbox, tester);
  addresses = {
    DS_MERCHANT_MERCHANTURL: receiver.url,
    DS_MERCHANT_URLOK: 'https://shop.example/ok?cart=1',
    DS_MERCHANT_URLKO: 'https://shop.example/ko',
  };
});
afterAll(async () => {
  await sandbox.stop();
  await receiver.stop();
});

/** The client library's view of a notification that it has verified. */
function verified(text: string) {
  const fields = Object.fromEntries(new URLSearchParams(text));
  return merchant.api.processRedirectNotification(
    fields as unknown as Parameters<typeof merchant.api.processRedirectNotification>[0],
  );
}
/**
 * The bank delays a payer by up to a second, until the merchant has received the notification; a slower one arrives
 * later.
 */
const notified = (order: string) =>
  eventually(() => (listNotifications(order).length > 0 ? listNotifications(order) : undefined));
const listNotifications = (order: string) =>
  receiver.received.map(({ text }) => verified(text)).filter((told) => told.Ds_Order === order);
const pay = async (o: CardForm = {}, more: object = {}) => {
  const order = newOrder();
  const page = await openForm(merchant, order, { ...addresses, ...more });
  return { order, answer: await submitCard(page.text, o) };
};
const readLocation = ({ headers }: { headers: Record<string, unknown> }): URL =>
  new URL(String(headers['location']));

describe('the signatures', () => {
  type Vector = {
    name: string;
    version: Version;
    key: string;
    order: string;
    parameters: string;
    signature: string;
  };
  const fixture = new URL('./fixtures/signatures.json', import.meta.url);
  const vectors = JSON.parse(readFileSync(fixture, 'utf8')) as Vector[];

  it.each(vectors)('the signatures of $name are made and verified as published', (v) => {
    expect(computeMac(v.version, v.key, v.order, v.parameters)).toEqual(Buffer.from(v.signature, 'base64'));
    expect(isSigned(v.version, v.key, v.order, v.parameters, v.signature)).toBe(true);
    expect(isSigned(v.version, v.key, v.order, `${v.parameters}A`, v.signature)).toBe(false);
  });
});

describe('a payer at the bank', () => {
  it('a payer at the bank pays, the shop is notified first, and the payer returns with signed parameters', async () => {
    const startedAt = performance.now();
    const { order, answer } = await pay();
    const isInTime = listNotifications(order).length === 1;
    expect(isInTime || performance.now() - startedAt >= 1_000).toBe(true);
    expect(answer.status).toBe(303);
    expect(await notified(order)).toMatchObject([
      { Ds_Response: '0000', Ds_Amount: '1500', Ds_TransactionType: '1', Ds_Terminal: '001' },
    ]);
    const back = readLocation(answer);
    expect(`${back.origin}${back.pathname}`).toBe('https://shop.example/ok');
    expect(back.searchParams.get('cart')).toBe('1');
    expect(verified(back.search.slice(1))).toMatchObject({ Ds_Order: order, Ds_Response: '0000' });
    expect(await tester.page(order)).toMatchObject({ status: 'authorised', authorised_minor: 1_500 });
  });

  it('a payer returns without parameters where the terminal is set up so', async () => {
    const { answer } = await pay({}, { DS_MERCHANT_TERMINAL: '2' });
    expect(readLocation(answer).href).toBe('https://shop.example/ok?cart=1');
  });

  it.each([
    ['an approved card', { number: '5576570000000004' }, '0000'],
    ['a declined card', { number: '5576440022788500' }, '0190'],
    ['a card of the other gateways that is declined', { number: '4000000000000341' }, '0190'],
    ['a poor card', { number: '4000000000009995' }, '0116'],
    ['the code that is denied', { cvv: '999' }, '0190'],
    ['the cancel button', { button: 'cancel' }, '9915'],
  ] as const)('a payer with %s is answered as documented', async (_what, card, response) => {
    const { order, answer } = await pay(card);
    expect(readLocation(answer).pathname).toBe(response === '0000' ? '/ok' : '/ko');
    expect(await notified(order)).toMatchObject([{ Ds_Response: response }]);
  });

  it.each(['1572', '1573', '1574', '1596'])(
    'a payer is refused an amount of %s',
    async (DS_MERCHANT_AMOUNT) => {
      const { order } = await pay({}, { DS_MERCHANT_AMOUNT });
      expect((await tester.page(order)).status).toBe('declined');
    },
  );

  it.each([
    ['right', '4918019199883839', '123456', '/ok', 'authorised'],
    ['wrong', '4918019199883839', '654321', '/ko', 'declined'],
    ['right, and the card bad', '4907271141151707', '123456', '/ko', 'declined'],
  ])('a payer is asked for a code, which is %s', async (_what, number, code, path, status) => {
    const { order, answer } = await pay({ number });
    expect(answer.status).toBe(200);
    expect((await tester.page(order)).status).toBe('created');
    const after = await call('POST', findFormAction(answer.text), { body: new URLSearchParams({ code }) });
    expect(readLocation(after).pathname).toBe(path);
    expect((await tester.page(order)).status).toBe(status);
    // The question is closed: a second answer has no effect.
    expect(
      (await call('POST', findFormAction(answer.text), { body: new URLSearchParams({ code }) })).status,
    ).toBe(410);
  });

  it('a payer who mistypes the number may try again', async () => {
    const { order, answer } = await pay({ number: '4548810000000004' });
    expect(answer.text).toContain('role="alert"');
    expect(readLocation(await submitCard(answer.text)).pathname).toBe('/ok');
    expect((await tester.page(order)).status).toBe('authorised');
  });

  it('a payer who loads the page again is still at the same order, until it is over', async () => {
    const order = newOrder();
    await openForm(merchant, order);
    const page = await openForm(merchant, order);
    expect((await submitCard(page.text)).status).toBe(200);
    expect((await openForm(merchant, order)).text).toContain('SIS0051');
    expect((await submitCard(page.text)).status).toBe(410);
  });

  it('a payer who comes after half an hour finds the page closed', async () => {
    const order = newOrder();
    const page = await openForm(merchant, order);
    const db = await openPg({
      url: sandbox.database.url('psp_sandbox'),
      name: 'test',
      connectTimeoutMs: 30_000,
    });
    await db.query(makeOlder, [order]);
    await db.close();
    expect((await submitCard(page.text)).status).toBe(410);
    expect((await tester.page(order)).status).toBe('created');
  });

  it('a payment at the bank is notified once, and not again when nobody received it', async () => {
    receiver.answerWith(500);
    const { order } = await pay();
    await notified(order);
    receiver.answerWith(200);
    await eventually(async () => (await tester.page(order)).callbacks[0]?.state === 'abandoned' || undefined);
    expect((await tester.page(order)).callbacks).toMatchObject([{ state: 'abandoned', attempts: 1 }]);
  });
});

describe('a form is refused', () => {
  it.each([
    ['SIS0075', { DS_MERCHANT_ORDER: 'abcd' }],
    ['SIS0026', { DS_MERCHANT_MERCHANTCODE: '000000000' }],
    ['SIS0028', { DS_MERCHANT_TERMINAL: '7' }],
    ['SIS0027', { DS_MERCHANT_CURRENCY: '999' }],
    ['SIS0019', { DS_MERCHANT_AMOUNT: '15.00' }],
    ['SIS0023', { DS_MERCHANT_TRANSACTIONTYPE: '0' }],
    ['SIS0431', { DS_MERCHANT_MERCHANTDATA: 'payment_intent_id=%00' }],
  ])('a form with %s for %p is refused', async (code, more) => {
    const answer = await openForm(merchant, newOrder(), more);
    expect(answer.status).toBe(400);
    expect(answer.text).toContain(code);
  });

  it('a form with an id in its data that is longer than an index takes is refused', async () => {
    const data = `attempt_id=${randomBytes(6_000).toString('hex')}`;
    const answer = await openForm(merchant, newOrder(), { DS_MERCHANT_MERCHANTDATA: data });
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('SIS0431')]);
  });

  it.each([
    ['SIS0042', { Ds_Signature: 'AAAA' }],
    ['SIS0429', { Ds_SignatureVersion: 'HMAC_SHA512_V1' }],
    ['SIS0430', { Ds_MerchantParameters: '%%%' }],
    ['SIS0431', { Ds_MerchantParameters: 'bm8=' }],
  ])('a form with %s for the fields %p is refused', async (code, fields) => {
    const parameters = buildParameters(merchant, newOrder(), '1') as unknown;
    const { url, body } = merchant.api.createRedirectForm(
      parameters as Parameters<typeof merchant.api.createRedirectForm>[0],
    );
    const answer = await call('POST', url, { body: new URLSearchParams({ ...body, ...fields }) });
    expect(answer.text).toContain(code);
  });
});

describe('a server at the REST interface', () => {
  it('a server at the REST interface confirms a hold once, and gets its outcome', async () => {
    const order = await paidOrder(merchant);
    expect(await operate(merchant, order, '2')).toMatchObject({ Ds_Response: '0900', Ds_Amount: '1500' });
    expect(await tester.page(order)).toMatchObject({ status: 'captured', captured_minor: 1_500 });
    await expect(operate(merchant, order, '2')).rejects.toThrow('SIS0060');
    await expect(operate(merchant, order, '9')).rejects.toThrow('SIS0072');
  });

  it('a server at the REST interface cancels a hold once', async () => {
    const order = await paidOrder(merchant);
    expect(await operate(merchant, order, '9')).toMatchObject({ Ds_Response: '0400' });
    expect((await tester.page(order)).status).toBe('voided');
    await expect(operate(merchant, order, '9')).rejects.toThrow('SIS0222');
    await expect(operate(merchant, order, '2')).rejects.toThrow('SIS0058');
  });

  it('a server at the REST interface cannot refund', async () => {
    const order = await paidOrder(merchant);
    await operate(merchant, order, '2');
    expect(await operate(merchant, order, '3')).toMatchObject({ Ds_Response: '0950' });
    expect((await tester.page(order)).refunded_minor).toBe(0);
  });

  it.each([
    ['SIS0059', '2', {}],
    ['SIS0225', '9', {}],
    ['SIS0023', '7', {}],
  ])('a server gets %s about an unknown order (type %s)', async (code, type, more) =>
    expect(operate(merchant, newOrder(), type, more)).rejects.toThrow(code),
  );

  it('a server may not confirm more than is held, in another currency, or what is not held', async () => {
    const order = await paidOrder(merchant);
    await expect(operate(merchant, order, '2', { DS_MERCHANT_AMOUNT: '1501' })).rejects.toThrow('SIS0062');
    await expect(operate(merchant, order, '2', { DS_MERCHANT_CURRENCY: '840' })).rejects.toThrow('SIS0058');
    const opened = newOrder();
    await openForm(merchant, opened);
    await expect(operate(merchant, opened, '2')).rejects.toThrow('SIS0061');
  });

  it('a server comes too late after seven days', async () => {
    const order = await paidOrder(merchant);
    await tester.control('POST', `payments/${order}/lapse`, {});
    await expect(operate(merchant, order, '2')).rejects.toThrow('SIS0132');
    await expect(operate(merchant, order, '9')).rejects.toThrow('SIS0530');
    expect((await tester.page(order)).status).toBe('expired');
  });

  it("a server does not find another merchant's order, like one that never existed", async () => {
    const order = await paidOrder(merchant);
    const other = await merchantC(sandbox, tester);
    await expect(operate(other, order, '2')).rejects.toThrow('SIS0059');
    expect((await tester.page(order)).status).toBe('authorised');
  });
});

describe('the merchant by hand', () => {
  it('a merchant captures and refunds by hand, and the server is notified of each', async () => {
    const { order } = await pay();
    for (const action of ['capture', 'refund'])
      await tester.control('POST', `payments/${order}/external`, { action });
    await eventually(() => (listNotifications(order).length === 3 ? true : undefined));
    expect(listNotifications(order).map((told) => told.Ds_TransactionType)).toEqual(['1', '2', '3']);
    expect((await tester.page(order)).status).toBe('refunded');
  });
});

it("a payment's own faults travel in its merchant data", async () => {
  const intent = uuidv7();
  const data = new URLSearchParams({ payment_intent_id: intent, sandbox_fault: 'callback:lose' }).toString();
  const { order } = await pay({}, { DS_MERCHANT_MERCHANTDATA: data });
  const page = await tester.page(intent);
  expect(page).toMatchObject({ psp_reference: order, status: 'authorised', callbacks: [{ state: 'lost' }] });
});
