import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@gp/testing';
import { newGroup, openApi, payer, paySlot } from '../support/journey.ts';
import { openMailStack, type MailStack } from '../support/mail-stack.ts';
import type { OwnStack } from '../support/own-stack.ts';
import { authorise } from '../support/payer.ts';
import { refund } from '../support/refund.ts';
import { openRequests } from '../support/requests.ts';
import { findMerchant, type Merchant } from '../support/stack.ts';
import type { Group, MerchantApi, Pay } from '../support/api.ts';

const START_MS = 240_000;

let mails: MailStack;
let own: OwnStack;
let merchant: Merchant;
let api: MerchantApi;

beforeAll(async () => {
  mails = await openMailStack();
  own = mails.own;
  merchant = findMerchant(own.stack, 'gateway_a');
  api = openApi(own.stack, merchant);
}, START_MS);
afterAll(async () => {
  await mails?.close();
});
beforeEach(() => void (mails.server.received.length = 0));

const linkIn = (text = '') => /https?:\/\/\S+\/p\/[\w-]+/.exec(text)?.[0] ?? '';

/** Pays a slot as a browser that prefers a language does. */
async function payIn(language: string, group: Group, index: number, name: string): Promise<void> {
  const { id } = group.group_payment;
  const who = payer(name);
  const { token } = (
    await openRequests(own.stack.api, merchant.test_key).post(`/v1/group-payments/${id}/session`, {})
  ).body as { token: string };
  const paid = await openRequests(own.stack.api, token).post(
    `/v1/group-payments/${id}/pay`,
    {
      customer_email: who.email,
      customer_name: who.name,
      slot_ids: [group.payment_slots[index]?.id],
      time_zone: 'Asia/Tokyo',
    },
    { 'accept-language': language },
  );
  await authorise(own.stack, api, id, paid.body as unknown as Pay, who);
}

describe('mails to payers', () => {
  it('a payer gets one mail about the hold and one about the charge in the payer’s language, opens the payment and ends the mails (Q77, Q78, Q79)', async () => {
    await mails.switchMails(merchant, true);
    const group = await newGroup(api, 2);
    await payIn('es-ES,es;q=0.9', group, 0, 'ana');
    const held = (await eventually(() => mails.mailsTo('ana@payers.example')[0])).mail;
    expect(held.subject).toMatch(/retenidos para Journey$/);
    expect(held.text).toContain('GMT+9');
    expect(held.text).not.toContain('UTC');
    await paySlot(own.stack, api, group, 1, payer('ben'));
    const charged = await eventually(() =>
      mails.mailsTo('ana@payers.example').find(({ mail }) => mail.subject?.includes('Recibo')),
    );
    const link = linkIn(charged.mail.text);
    const page = await (await fetch(link)).text();
    expect(page).toContain('<html lang="es"');
    expect(page).toContain('Journey');
    const unsubscribe = charged.mail.headers.find(({ key }) => key === 'list-unsubscribe')?.value ?? '';
    const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' });
    expect((await fetch(unsubscribe.slice(1, -1), { method: 'POST', body })).status).toBe(200);
    const before = mails.mailsTo('ana@payers.example').length;
    await api.becomes(group.group_payment.id, ['paid']);
    await refund(openRequests(own.stack.api, merchant.test_key), group.group_payment.id);
    await eventually(() =>
      mails.mailsTo('ben@payers.example').find(({ mail }) => mail.subject?.includes('given back')),
    );
    const next = await newGroup(api, 2);
    await payIn('es', next, 0, 'ana');
    await payIn('fr', next, 1, 'carla');
    await eventually(() => mails.mailsTo('carla@payers.example')[0]);
    expect(mails.mailsTo('ana@payers.example')).toHaveLength(before);
    expect(before).toBe(2);
  });

  it('payers of a merchant who has switched mails off get none (Q77)', async () => {
    await mails.switchMails(merchant, false);
    const group = await newGroup(api, 1);
    await paySlot(own.stack, api, group, 0, payer('dora'));
    await api.becomes(group.group_payment.id, ['paid']);
    await mails.switchMails(merchant, true);
    const other = await newGroup(api, 1);
    await paySlot(own.stack, api, other, 0, payer('emil'));
    const probe = await eventually(() => mails.mailsTo('emil@payers.example')[0]);
    expect(probe.mail.subject).toContain('Receipt');
    expect(mails.mailsTo('dora@payers.example')).toEqual([]);
  });
});
