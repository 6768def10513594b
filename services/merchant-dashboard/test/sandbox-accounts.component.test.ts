import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { pspCodes } from '@gp/gateway-registry';
import { openRecordingServer, type RecordingServer } from '@gp/testing';
import type { Callbacks } from '../src/domain/sandbox-callbacks.ts';
import { connectSandbox } from '../src/outbound/sandbox.ts';

const callbacks = Object.fromEntries(pspCodes.map((code) => [code, `http://${code}/callbacks`])) as Callbacks;

let sandbox: RecordingServer;
beforeAll(async () => {
  sandbox = await openRecordingServer(() => ({ account_id: 'acct_1' }));
});
afterAll(() => sandbox.close());

const open = (token: string | undefined) =>
  connectSandbox({ url: sandbox.url, callbacks, token }).open('gateway_a', {
    id: 'm1',
    name: 'Casa Lola',
  });

it('a test account is opened at the sandbox with the token of control calls (Y4)', async () => {
  expect(await open('the token')).toEqual({ account_id: 'acct_1' });
  const [request] = sandbox.take();
  expect(request).toMatchObject({ method: 'POST', path: '/control/gateway_a/accounts' });
  expect(request?.headers).toContain('authorization: Bearer the token');
});

it("a test account has the merchant's name, which banks show to payers", async () => {
  await open(undefined);
  expect(JSON.parse(sandbox.take()[0]?.body ?? '')).toEqual({
    name: 'm1',
    display_name: 'Casa Lola',
    webhook_url: callbacks.gateway_a,
  });
});

it('a dashboard without a token of control calls sends none to the sandbox', async () => {
  await open(undefined);
  expect(sandbox.take()[0]?.headers.filter((line) => /^authorization/i.test(line))).toEqual([]);
});
