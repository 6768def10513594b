import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventually } from '@gp/testing';
import { openDashboard } from '../support/dashboard.ts';
import { newGroup, openApi, payer, paySlot } from '../support/journey.ts';
import { switchPayerMails } from '../support/mail-stack.ts';
import { openOwnStack, type OwnStack } from '../support/own-stack.ts';
import { findMerchant, type Merchant } from '../support/stack.ts';

const START_MS = 240_000;

let own: OwnStack;
let merchant: Merchant;

/** As `npm start` does. */
beforeAll(async () => {
  own = await openOwnStack({ GP_PAYER_MAILS: '1' });
  merchant = findMerchant(own.stack, 'gateway_a');
}, START_MS);
afterAll(() => own?.close());

const readText = async (url: string): Promise<string> => (await fetch(url)).text();
const openMailbox = () => readText(`${own.stack.dashboard}/mailbox`);

it('whoever tries the platform reads the mails to payers in the mailbox, told from those to members, and follows one to the payment (Q109)', async () => {
  await switchPayerMails(own.stack, merchant, true);
  const dashboard = await openDashboard(own.stack, merchant);
  const available = async (mode: string) => (await dashboard.get(`payer-mails?mode=${mode}`)).body;
  expect(await available('test')).toEqual({ payer_mails: true, is_available: true });
  expect(await available('live')).toMatchObject({ is_available: false });
  const group = await newGroup(openApi(own.stack, merchant), 2, { group_name: 'Dinner for two' });
  await paySlot(own.stack, openApi(own.stack, merchant), group, 0, payer('ana'));
  const mailbox = await eventually(async () => {
    const html = await openMailbox();
    return html.includes('To a payer: ana@payers.example') ? html : undefined;
  });
  expect(mailbox).toContain(`To a member of a team: ${merchant.email}`);
  const [, letter = ''] = mailbox.split('To a payer: ana@payers.example');
  const link = /<a href="([^"]+\/p\/[\w-]+)">/.exec(letter.split('</article>')[0] ?? '')?.[1] ?? '';
  expect(link).toMatch(new RegExp(`^${own.stack.checkout}/p/`));
  const page = await fetch(link);
  expect(page.status).toBe(200);
  expect(await page.text()).toContain('Dinner for two');
});

it('payers of a merchant who has mails switched off get none in the mailbox either (Q77, Q109)', async () => {
  const [quiet, loud] = [findMerchant(own.stack, 'gateway_b'), merchant];
  await switchPayerMails(own.stack, loud, true);
  for (const [who, name] of [
    [quiet, 'dora'],
    [loud, 'emil'],
  ] as const) {
    const api = openApi(own.stack, who);
    const group = await newGroup(api, 1);
    await paySlot(own.stack, api, group, 0, payer(name));
    await api.becomes(group.group_payment.id, ['paid']);
  }
  await eventually(async () => (await openMailbox()).includes('emil@payers.example') || undefined);
  expect(await openMailbox()).not.toContain('dora@payers.example');
});
