import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startSandbox, type Sandbox } from './sandbox.ts';
import { call } from './tester.ts';

const TOKEN = 'a-token-of-thirty-two-characters';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ CONTROL_FROM_LOOPBACK: undefined, SANDBOX_CONTROL_TOKEN: TOKEN });
});
afterAll(() => sandbox.stop());

const controls = [
  ['GET', 'books', undefined],
  ['POST', 'faults', { gateway: 'gateway_a', operation: 'capture', fault: 'http_500', times: 1 }],
  ['DELETE', 'faults', undefined],
  ['POST', 'latency', { gateway: 'gateway_a', ms: 0 }],
  ['POST', 'payments/pi_none/lapse', undefined],
  ['POST', 'payments/pi_none/external', { action: 'capture' }],
  ['POST', 'gateway_b/encrypt', { value: '4242424242424242', app: 'app_none' }],
  ['POST', 'gateway_a/accounts', { name: 'm1' }],
  ['PUT', 'gateway_a/webhook_endpoint', { url: 'http://127.0.0.1:1/', secret: 'whsec_test' }],
] as const;
const ask = ([method, path, body]: (typeof controls)[number], authorization?: string) =>
  call(method, `${sandbox.url}/control/${path}`, {
    body,
    ...(authorization !== undefined && { headers: { authorization } }),
  });

describe('a control call, also from the sandbox’s own machine,', () => {
  it.each(controls)('%s /control/%s without the token gets a 404 (Y4)', async (...control) => {
    const { status, body } = await ask(control);
    expect({ status, body }).toMatchObject({ status: 404, body: { code: 'route_not_found' } });
  });

  it.each(controls)('%s /control/%s with another token gets a 401 (Y4)', async (...control) => {
    expect((await ask(control, `Bearer ${TOKEN}x`)).status).toBe(401);
  });

  it('a control call is admitted with the token (Y4)', async () => {
    for (const control of controls) {
      const { status, text } = await ask(control, `Bearer ${TOKEN}`);
      expect([control[1], status]).not.toEqual([control[1], 401]);
      expect([control[1], text]).not.toEqual([control[1], expect.stringContaining('route_not_found')]);
    }
  });

  it('a control call with the words of a token that was never set gets a 401 (Y4)', async () => {
    await sandbox.kill();
    await sandbox.start({ SANDBOX_CONTROL_TOKEN: undefined });
    expect((await ask(controls[0], `Bearer ${TOKEN}`)).status).toBe(401);
    expect((await ask(controls[0], 'Bearer undefined')).status).toBe(401);
    expect((await ask(controls[0])).status).toBe(404);
  });
});

describe('everything else of the sandbox', () => {
  it('everything else needs no token: it has the gateways’ own credentials (Y4)', async () => {
    expect((await call('GET', `${sandbox.url}/`)).status).toBe(200);
    expect((await call('GET', `${sandbox.url}/gateway_a/js`)).status).toBe(200);
  });
});
