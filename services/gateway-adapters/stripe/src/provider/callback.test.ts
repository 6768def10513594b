import { describe, expect, it } from '@jest/globals';
import type { FindSigners } from '@gp/gateway';
import Stripe from 'stripe';
import { verifyCallback } from './callback.ts';
import type { Credentials } from './credentials.ts';

const credentials: Credentials = {
  account_id: 'acct_1',
  secret_key: 'sk_1',
  publishable_key: 'pk_1',
  webhook_secret: 'whsec_right',
};
const account = { merchantId: 'm', mode: 'test', version: 1, credentials } as const;
const sharer = { ...account, merchantId: 'n' };
const findSigners: FindSigners<Credentials> = ({ account: name, mode }, isSigner) =>
  Promise.resolve(
    [account, sharer].filter(
      (one) => name === 'acct_1' && one.mode === mode && isSigner(one.credentials.webhook_secret),
    ),
  );
const ATTEMPT = '01a1fc1c-a92b-7b0a-87f5-3eff6de2f807';
const NOW = new Date('2026-11-20T12:00:00Z');

const event = (more: object = {}, object: object = {}) =>
  JSON.stringify({
    id: 'evt_1',
    account: 'acct_1',
    livemode: false,
    type: 'payment_intent.succeeded',
    data: { object: { object: 'payment_intent', id: 'pi_1', metadata: { attempt_id: ATTEMPT }, ...object } },
    ...more,
  });

/** Signs with the vendor's own library, which is the reference for this check. */
const signed = (payload: string, o: { secret?: string; ageSeconds?: number } = {}) =>
  new Stripe('unused').webhooks.generateTestHeaderString({
    payload,
    secret: o.secret ?? 'whsec_right',
    timestamp: NOW.getTime() / 1000 - (o.ageSeconds ?? 0),
  });

const verify = (payload: string, signature: string, body = payload) =>
  verifyCallback(
    { body: Buffer.from(body), headers: { 'stripe-signature': signature }, receivedAt: NOW },
    findSigners,
  );

describe('a callback of gateway_a', () => {
  it('a callback of gateway_a is accepted when the vendor’s library signed it', async () =>
    expect(await verify(event(), signed(event()))).toMatchObject({
      kind: 'verified',
      signers: [account, sharer],
      eventId: 'evt_1',
      pspReference: 'pi_1',
      attemptId: ATTEMPT,
      isDisputed: null,
    }));

  it.each([
    ['payment_intent.succeeded', { amount_received: 1_500, currency: 'eur' }, 1_500n],
    ['payment_intent.succeeded', { amount_received: '1500', currency: 'eur' }, undefined],
    ['payment_intent.amount_capturable_updated', { amount_received: 0, currency: 'eur' }, undefined],
  ])('the callback %s with %j states the capture of %s', async (type, object, amountMinor) => {
    const body = event({ type }, object);
    const stated = amountMinor && { operation: 'capture', amountMinor, currency: 'EUR' };
    const found = await verify(body, signed(body));
    expect(found).toMatchObject({ kind: 'verified', ...(stated && { stated }) });
    expect('stated' in found).toBe(stated !== undefined);
  });

  it.each([
    ['another secret', signed(event(), { secret: 'whsec_wrong' }), event()],
    ['an altered body', signed(event()), event().replace('pi_1', 'pi_2')],
    ['a time six minutes ago', signed(event(), { ageSeconds: 360 }), event()],
    ['a time six minutes ahead', signed(event(), { ageSeconds: -360 }), event()],
    ['no signature', '', event()],
    ['no JSON', signed('x'), 'x'],
    ['no mode', signed(event({ livemode: null })), event({ livemode: null })],
  ])('a callback of gateway_a with %s is a forgery', async (_what, signature, body) =>
    expect(await verify(event(), signature, body)).toMatchObject({ kind: 'forged' }),
  );

  it('a callback of live mode never reaches a test account', async () => {
    const live = event({ livemode: true });
    expect(await verify(live, signed(live))).toMatchObject({ kind: 'forged' });
  });

  it('a callback of an unknown account is a forgery', async () => {
    const foreign = event({ account: 'acct_2' });
    expect(await verify(foreign, signed(foreign))).toMatchObject({ kind: 'forged' });
  });

  it('a callback of gateway_a is accepted while a secret is being replaced', async () => {
    const both = `${signed(event(), { secret: 'whsec_old' })},${signed(event()).split(',')[1]}`;
    expect(await verify(event(), both)).toMatchObject({ kind: 'verified' });
  });

  it('a callback about the merchant’s own payments is ignored', async () => {
    const own = event({}, { metadata: {} });
    expect(await verify(own, signed(own))).toEqual({ kind: 'irrelevant' });
  });

  it('a callback about a dispute names the payment by the gateway’s reference', async () => {
    const dispute = event(
      { type: 'charge.dispute.created' },
      { object: 'dispute', id: 'dp_1', payment_intent: 'pi_1', metadata: {} },
    );
    expect(await verify(dispute, signed(dispute))).toMatchObject({
      pspReference: 'pi_1',
      attemptId: null,
      isDisputed: true,
    });
  });

  it.each([
    ['won', false],
    ['warning_closed', false],
    ['prevented', false],
    ['lost', true],
  ])(
    'a callback about a dispute that was closed as %s reports whether money was lost (E11)',
    async (status, isDisputed) => {
      const dispute = event(
        { type: 'charge.dispute.closed' },
        { object: 'dispute', id: 'dp_1', payment_intent: 'pi_1', metadata: {}, status },
      );
      expect(await verify(dispute, signed(dispute))).toMatchObject({ isDisputed });
    },
  );
});
