import { describe, expect, it } from '@jest/globals';
import { createHmac } from 'node:crypto';
import type { FindSigners } from '@gp/gateway';
import { verifyCallback } from './callback.ts';
import type { Credentials } from './credentials.ts';

const credentials: Credentials = {
  team_id: 'team_1',
  app_id: 'app_1',
  relay_api_key: 'ev:key:1',
  processor_secret_key: 'sk_sbox_1',
  processing_channel_id: 'pc_1',
  webhook_secret: 'right',
};
const account = { merchantId: 'm', mode: 'test', version: 1, credentials } as const;
const sharer = { ...account, merchantId: 'n' };
const findSigners: FindSigners<Credentials> = ({ account: name }, isSigner) =>
  Promise.resolve(
    [account, sharer].filter((one) => name === 'pc_1' && isSigner(one.credentials.webhook_secret)),
  );
const ATTEMPT = '01a1fc1c-a92b-7b0a-87f5-3eff6de2f807';

const event = (type: string, data: object) =>
  JSON.stringify({ id: 'evt_1', type, data: { processing_channel_id: 'pc_1', ...data } });
const captured = event('payment_captured', { id: 'pay_1', metadata: { attempt_id: ATTEMPT } });
const sign = (body: string, secret = 'right') => createHmac('sha256', secret).update(body).digest('hex');
const verify = (body: string, signature: string) =>
  verifyCallback(
    { body: Buffer.from(body), headers: { 'cko-signature': signature }, receivedAt: new Date() },
    findSigners,
  );

describe('a callback of gateway_b', () => {
  it('a callback of gateway_b is accepted when its body is signed with the account’s secret', async () =>
    expect(await verify(captured, sign(captured))).toMatchObject({
      kind: 'verified',
      signers: [account, sharer],
      eventId: 'evt_1',
      pspReference: 'pay_1',
      attemptId: ATTEMPT,
      isDisputed: null,
    }));

  it.each([
    ['payment_approved', { amount: 1_500, currency: 'EUR' }, 1_500n],
    ['payment_approved', { currency: 'EUR' }, undefined],
    ['payment_captured', { amount: 1_500, currency: 'EUR' }, undefined],
  ])('the callback %s with %j states the hold of %s', async (type, data, amountMinor) => {
    const body = event(type, { id: 'pay_1', metadata: { attempt_id: ATTEMPT }, ...data });
    const stated = amountMinor && { operation: 'authorise', amountMinor, currency: 'EUR' };
    const found = await verify(body, sign(body));
    expect(found).toMatchObject({ kind: 'verified', ...(stated && { stated }) });
    expect('stated' in found).toBe(stated !== undefined);
  });

  it.each([
    ['another secret', captured, sign(captured, 'wrong')],
    ['an altered body', captured.replace('pay_1', 'pay_2'), sign(captured)],
    ['no signature', captured, ''],
    ['half a signature', captured, sign(captured).slice(0, 32)],
    ['no JSON', 'x', sign('x')],
    ['another channel', captured.replace('pc_1', 'pc_2'), sign(captured.replace('pc_1', 'pc_2'))],
  ])('a callback of gateway_b with %s is a forgery', async (_what, body, signature) =>
    expect(await verify(body, signature)).toMatchObject({ kind: 'forged' }),
  );

  it.each([
    ['dispute_received', true],
    ['dispute_evidence_required', true],
    ['dispute_lost', true],
    ['dispute_expired', true],
    ['dispute_accepted', true],
    ['dispute_won', false],
    ['dispute_arbitration_won', false],
    ['dispute_canceled', false],
    ['dispute_resolved', false],
  ])(
    'the callback %s itself reports its effect, because no query does (E9, E11)',
    async (type, isDisputed) => {
      const body = event(type, { id: 'dsp_1', payment_id: 'pay_1' });
      expect(await verify(body, sign(body))).toMatchObject({
        pspReference: 'pay_1',
        attemptId: null,
        isDisputed,
      });
    },
  );

  it('a callback of gateway_b about the merchant’s own payments is ignored', async () => {
    const own = event('payment_captured', { id: 'pay_9' });
    expect(await verify(own, sign(own))).toEqual({ kind: 'irrelevant' });
  });
});
