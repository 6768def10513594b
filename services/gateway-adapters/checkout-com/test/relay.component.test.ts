import { connect } from 'node:net';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { uuidv7 } from 'uuidv7';
import { call, type Sandbox, startSandbox, type Tester, openTester } from '@gp/psp-sandbox/test-kit';
import { cardSource, merchantB, paymentBody, throughRelay, type MerchantB } from './merchant.ts';

let sandbox: Sandbox;
let tester: Tester;
let merchant: MerchantB;

beforeAll(async () => {
  sandbox = await startSandbox();
  tester = openTester(sandbox.url);
  merchant = await merchantB(sandbox, tester);
});

afterAll(() => sandbox.stop());

async function encrypted(value: string, app = merchant.credentials.app_id): Promise<string> {
  const answer = (await tester.control('POST', 'gateway_b/encrypt', { value, app })) as { encrypted: string };
  return answer.encrypted;
}

const withCard = (number: string, cvv: string, intent = uuidv7()) => ({
  ...paymentBody({ intent }),
  source: { ...cardSource(number), cvv },
});

describe('an encrypted card', () => {
  it('an encrypted card is decrypted on its way, so that the processor can authorise it', async () => {
    const intent = uuidv7();
    const body = withCard(await encrypted('4242424242424242'), await encrypted('123'), intent);
    expect(await throughRelay(sandbox, merchant, { body })).toMatchObject({
      status: 201,
      body: { approved: true, source: { last4: '4242' } },
    });
    expect(await tester.page(intent)).toMatchObject({ status: 'authorised' });
  });

  it('an encrypted card of another app is refused with a problem document, and nothing reaches the processor', async () => {
    const other = await merchantB(sandbox, tester);
    const intent = uuidv7();
    const body = withCard(await encrypted('4242424242424242', other.credentials.app_id), '123', intent);
    const answer = await throughRelay(sandbox, merchant, { body });
    expect(answer).toMatchObject({ status: 422, body: { code: 'decryption-failed', status: 422 } });
    expect(answer.type).toContain('application/problem+json');
    expect(await tester.books(intent)).toEqual([]);
  });

  it.each(['ev:', 'ev:QkTC:AAAA:$', `ev:QkTC:${'A'.repeat(16)}:${'A'.repeat(44)}:${'A'.repeat(40)}:$`])(
    'an encrypted card with a damaged %p is refused',
    async (field) => {
      expect(await throughRelay(sandbox, merchant, { body: withCard(field, '123') })).toMatchObject({
        status: 422,
      });
    },
  );

  it('an encrypted card is accepted in every format of the official SDK', async () => {
    const api = `${sandbox.url}/gateway_b`;
    process.env['EV_API_URL'] = api;
    type Sdk = new (
      app: string,
      key: string,
      o: object,
    ) => { encrypt(value: string, role?: string): Promise<string> };
    const Evervault = createRequire(import.meta.url)('@evervault/sdk') as Sdk;
    const { app_id, relay_api_key } = merchant.credentials;
    const formats = [
      ['secp256k1', undefined, 'RFVC'],
      ['prime256v1', undefined, 'Tk9D'],
      ['secp256k1', 'card', 'S0lS'],
      ['prime256v1', 'card', 'QkTC'],
    ] as const;
    for (const [curve, role, version] of formats) {
      const field = await new Evervault(app_id, relay_api_key, { curve }).encrypt('5555555555554444', role);
      expect(field).toMatch(new RegExp(`^ev:${version}:`));
      const answer = await throughRelay(sandbox, merchant, { body: withCard(field, '123') });
      expect(answer).toMatchObject({
        status: 201,
        body: { source: { last4: '4444', scheme: 'Mastercard' } },
      });
    }
  });
});

describe('the app keys', () => {
  const keys = (team: string, app: string, headers = {}) =>
    call('GET', `${sandbox.url}/gateway_b/keys/${team}/apps/${app}?context=default`, { headers });

  it('the app keys are public, in both forms a browser may want', async () => {
    const { team_id, app_id } = merchant.credentials;
    const { status, body } = await keys(team_id, app_id);
    expect(status).toBe(200);
    const { ecdhP256Key, ecdhP256KeyUncompressed, ...rest } = body as Record<string, string>;
    expect([
      Buffer.from(ecdhP256Key ?? '', 'base64').length,
      Buffer.from(ecdhP256KeyUncompressed ?? '', 'base64').length,
    ]).toEqual([33, 65]);
    expect(rest).toMatchObject({ teamUuid: team_id, appUuid: app_id, isDebugMode: false });
    const debug = await keys(team_id, app_id, { 'X-Evervault-Inputs-Debug-Mode': 'true' });
    expect(debug.body).toMatchObject({ isDebugMode: true });
  });

  it('a request for the keys of an unknown app gets a problem document', async () => {
    expect(await keys('team_x', 'app_y')).toMatchObject({
      status: 404,
      body: { code: 'resource-not-found', status: 404 },
    });
  });
});

describe('the tunnel', () => {
  it('the tunnel opens only for a relay key', async () => {
    const body = paymentBody();
    await expect(throughRelay(sandbox, merchant, { body, relayKey: 'ev:key:wrong' })).rejects.toThrow(
      /407|Proxy/,
    );
  });

  it('the tunnel leads only to the processor', async () => {
    const attempt = throughRelay(sandbox, merchant, {
      body: paymentBody(),
      target: 'http://127.0.0.1:1/payments',
    });
    await expect(attempt).rejects.toThrow(/403|Proxy/);
  });

  it('the tunnel leaves a body without encrypted fields unchanged', async () => {
    expect(await throughRelay(sandbox, merchant, { body: paymentBody() })).toMatchObject({ status: 201 });
  });

  it('the tunnel reports a body that is no JSON', async () => {
    const answer = await throughRelay(sandbox, merchant, { body: '{"number":"ev:' });
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid-request' } });
  });

  it('the tunnel breaks off when the processor breaks off', async () => {
    const intent = uuidv7();
    await tester.fault('gateway_b', 'authorise', 'drop_response', 1, { payment_intent_id: intent });
    await expect(throughRelay(sandbox, merchant, { body: { ...paymentBody({ intent }) } })).rejects.toThrow();
    expect(await tester.page(intent)).toMatchObject({ status: 'authorised' });
  });

  it('the tunnel survives malformed input', async () => {
    const port = sandbox.port('relay');
    const { host } = new URL(sandbox.url);
    const key = merchant.credentials.relay_api_key;
    const rubbish = [
      'GARBAGE\r\n\r\n',
      'CONNECT\r\n\r\n',
      'CONNECT :: HTTP/1.1\r\nHost: x\r\n\r\n',
      'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      `CONNECT ${host} HTTP/1.1\r\nHost: x\r\nProxy-Authorization: ${key}\r\n\r\n\u0000\u0001 rubbish\r\n\r\n`,
    ];
    for (const text of rubbish) {
      const socket = connect(port, '127.0.0.1', () => socket.write(text));
      socket.resume();
      socket.on('error', () => undefined);
      await once(socket, 'close');
    }
    expect(await throughRelay(sandbox, merchant, { body: paymentBody() })).toMatchObject({ status: 201 });
  });
});
