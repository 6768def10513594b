import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openBus, type Bus } from '@gp/bus';
import { authenticatePayer, findPayers, playPayer, type PayerCard, type PspCode } from '@gp/contracts';
import { testNats, type OwnServer } from '@gp/testing';
import { uuidv7 } from 'uuidv7';
import { createIntent, merchantA, type MerchantA } from '../../gateway-adapters/stripe/test/merchant.ts';
import {
  merchantB,
  paymentBody,
  throughRelay,
  type MerchantB,
} from '../../gateway-adapters/checkout-com/test/merchant.ts';
import {
  buildParameters,
  merchantC,
  newOrder,
  type MerchantC,
} from '../../gateway-adapters/redsys/test/merchant.ts';
import { startSandbox, type Sandbox } from './sandbox.ts';
import { openTester, type Page, type Tester } from './tester.ts';

let nats: OwnServer;
let bus: Bus;
let sandbox: Sandbox;
let tester: Tester;
let stripe: MerchantA;
let checkoutCom: MerchantB;
let redsys: MerchantC;

beforeAll(async () => {
  nats = await testNats();
  sandbox = await startSandbox({ NATS_URL: nats.url });
  bus = await openBus({ servers: nats.url, name: 'api-gateway' });
  tester = openTester(sandbox.url);
  stripe = await merchantA(sandbox, tester);
  checkoutCom = await merchantB(sandbox, tester);
  redsys = await merchantC(sandbox, tester);
});

afterAll(async () => {
  await bus?.close();
  await sandbox?.stop();
  await nats?.stop();
});

type Client = Parameters<typeof play>[1];

const play = (psp_code: PspCode, client: Record<string, unknown>, card: PayerCard = 'approved') =>
  bus.call(playPayer, { psp_code, client, card, payer_name: 'Ada Lovelace' }, { timeoutMs: 10_000 });

const listCalls = ({ calls }: Page) =>
  calls.filter(({ operation }) => operation === 'authorise').map(({ outcome }) => outcome);

/** What the books show of a payment: its state, its hold, and how its calls ended. */
async function findBooks(reference: string): Promise<[status: string, held: number, calls: string[]]> {
  const page = await tester.page(reference);
  return [page.status, page.authorised_minor, listCalls(page)];
}

const outcomes: [card: PayerCard, status: string, held: number][] = [
  ['approved', 'authorised', 1500],
  ['authenticated', 'authorised', 1500],
  ['declined', 'declined', 0],
  ['insufficient_funds', 'declined', 0],
  ['authentication_failed', 'declined', 0],
];

const ends = (status: string): string => (status === 'authorised' ? 'ok' : 'declined');

describe('a payer of gateway_a', () => {
  const start = async (): Promise<{ id: string; client: Client }> => {
    const { id, client_secret } = await createIntent(stripe);
    const { account_id: gateway_a_account_id, publishable_key } = stripe.credentials;
    return { id, client: { client_secret, gateway_a_account_id, publishable_key } };
  };

  it.each(outcomes)(
    'a played payer confirms in the browser with a card that is %s (Q73)',
    async (card, status, held) => {
      const { id, client } = await start();
      expect(await play('gateway_a', client, card)).toEqual({});
      expect(await findBooks(id)).toEqual([status, held, [ends(status)]]);
    },
  );

  it('a payer who is played again holds nothing more (Q73)', async () => {
    const { id, client } = await start();
    await play('gateway_a', client, 'authenticated');
    await play('gateway_a', client, 'authenticated');
    expect(await findBooks(id)).toEqual(['authorised', 1500, ['ok', 'refused']]);
  });

  it('a call to play a payer succeeds although the gateway fails when the card is sent (Q73)', async () => {
    const { id, client } = await start();
    await tester.fault('gateway_a', 'authorise', 'http_500', 1, { psp_reference: id });
    await play('gateway_a', client);
    expect(await findBooks(id)).toEqual(['created', 0, ['failed']]);
  });

  it('a call that is repeated while a slow gateway works has the card sent once (Q73)', async () => {
    const { id, client } = await start();
    // Longer than the bus waits before it sends a call again.
    await tester.fault('gateway_a', 'authorise', 'delay:3000', 1, { psp_reference: id });
    await play('gateway_a', client);
    const { calls } = await tester.page(id);
    expect(calls).toMatchObject([
      { operation: 'prepare' },
      { operation: 'authorise', outcome: 'ok', fault: 'delay:3000' },
    ]);
  });

  it.each([
    ['an unknown key', { publishable_key: 'pk_sandbox_x' }],
    ['another account', { gateway_a_account_id: 'acct_x' }],
    ['an unknown payment', { client_secret: 'pi_x_secret_x' }],
    ['no fields', { client_secret: undefined, publishable_key: undefined, gateway_a_account_id: undefined }],
  ])(
    'a payment with %s belongs to no account of the sandbox and gets not_found (Q73)',
    async (_what, changed) => {
      const { client } = await start();
      await expect(play('gateway_a', { ...client, ...changed })).rejects.toMatchObject({ code: 'not_found' });
    },
  );
});

describe('a payer of gateway_b', () => {
  const client = () => ({
    card_field_team_id: checkoutCom.credentials.team_id,
    card_field_app_id: checkoutCom.credentials.app_id,
  });
  /** Does with the encrypted card what the platform's server does. */
  const authorise = async (card: PayerCard) => {
    const { card: encrypted } = await play('gateway_b', client(), card);
    if (!encrypted) throw new Error('the sandbox encrypted no card');
    const intent = uuidv7();
    const source = {
      type: 'card',
      number: encrypted.encrypted_card_number,
      expiry_month: encrypted.expiration_month,
      expiry_year: encrypted.expiration_year,
      name: encrypted.cardholder_name,
      cvv: encrypted.encrypted_security_code,
    };
    const { status, body } = await throughRelay(sandbox, checkoutCom, {
      body: { ...paymentBody({ intent }), source },
    });
    const { _links } = body as { _links: { redirect?: { href: string } } };
    return { intent, status, page: _links.redirect?.href ?? '' };
  };
  const authenticate = (page: string, card: PayerCard) =>
    bus.call(authenticatePayer, { psp_code: 'gateway_b', page, card }, { timeoutMs: 10_000 });

  it.each(outcomes)(
    'the encrypted card of a played payer is %s when a server authorises with it (Q73)',
    async (card, status, held) => {
      const { intent, page } = await authorise(card);
      if (page !== '') expect(await authenticate(page, card)).toEqual({});
      expect(await findBooks(intent)).toEqual([status, held, [ends(status)]]);
    },
  );

  it('an answered question of an issuer keeps its first answer (Q73)', async () => {
    const { intent, page } = await authorise('authenticated');
    await authenticate(page, 'authentication_failed');
    await authenticate(page, 'authenticated');
    expect(await findBooks(intent)).toEqual(['declined', 0, ['declined']]);
  });

  it('an app or a page that does not belong to the sandbox gets not_found (Q73)', async () => {
    const unknown = { code: 'not_found' };
    await expect(play('gateway_b', { ...client(), card_field_app_id: 'app_x' })).rejects.toMatchObject(
      unknown,
    );
    await expect(play('gateway_b', {})).rejects.toMatchObject(unknown);
    const { page } = await authorise('authenticated');
    const pages = [
      '',
      'nothing',
      `${sandbox.url}/gateway_b/3ds/pay_x/x`,
      page.replace('127.0.0.1', 'bank.example'),
    ];
    for (const one of pages) await expect(authenticate(one, 'authenticated')).rejects.toMatchObject(unknown);
  });
});

describe('a payer of gateway_c', () => {
  const start = (more: object = {}): { order: string; client: Client } => {
    const order = newOrder();
    const parameters = buildParameters(redsys, order, '1', more);
    const { url, body } = redsys.api.createRedirectForm(
      parameters as unknown as Parameters<typeof redsys.api.createRedirectForm>[0],
    );
    return { order, client: { gateway_c_form: { url, body: { ...body } } } };
  };

  it.each(outcomes)(
    'a played payer types a card that is %s at the bank (Q73)',
    async (card, status, held) => {
      const { order, client } = start();
      expect(await play('gateway_c', client, card)).toEqual({});
      expect(await findBooks(order)).toEqual([status, held, [ends(status)]]);
    },
  );

  it('a payer who is played again holds nothing more (Q73)', async () => {
    const { order, client } = start();
    await play('gateway_c', client, 'authenticated');
    await play('gateway_c', client, 'authenticated');
    expect((await findBooks(order)).slice(0, 2)).toEqual(['authorised', 1500]);
  });

  it('a call to play a payer succeeds although the bank cannot open its page (Q73)', async () => {
    const { order, client } = start({
      DS_MERCHANT_MERCHANTDATA: 'sandbox_fault=prepare:http_500&payment_intent_id=' + uuidv7(),
    });
    expect(await play('gateway_c', client)).toEqual({});
    expect(await tester.books(order)).toEqual([]);
  });

  it('a form of a merchant that the bank does not know gets not_found (Q73)', async () => {
    const { client } = start({ DS_MERCHANT_MERCHANTCODE: '1' });
    await expect(play('gateway_c', client)).rejects.toMatchObject({ code: 'not_found' });
    await expect(play('gateway_c', {})).rejects.toMatchObject({ code: 'not_found' });
  });
});

it('the sandbox reports that it plays payers, and a page of an issuer at gateway_a gets not_found (Q73)', async () => {
  expect(await bus.call(findPayers, {}, { timeoutMs: 5_000 })).toEqual({});
  const asked = {
    psp_code: 'gateway_a',
    page: `${sandbox.url}/gateway_a/3ds/pi_x/x`,
    card: 'approved',
  } as const;
  await expect(bus.call(authenticatePayer, asked, { timeoutMs: 5_000 })).rejects.toMatchObject({
    code: 'not_found',
  });
});
