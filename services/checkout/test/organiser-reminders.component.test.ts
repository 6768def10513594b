import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { IntentState } from '@gp/contracts';
import { found, organiserToken, payment, slotId } from './support/checkout.ts';
import { findLink, openMailing, type Mailing } from './support/mails.ts';

let mailing: Mailing;
beforeAll(async () => (mailing = await openMailing()));
afterAll(() => mailing?.close());
beforeEach(async () => {
  await mailing.clear();
  await mailing.switch(true);
});

const received = (at = 0) => mailing.server.received[at];
const header = (key: string) => received()?.mail.headers.find((each) => each.key === key)?.value;

describe('a reminder of an organiser', () => {
  const page = `/o/${organiserToken}`;
  let from = 0;
  const remind = async () => {
    const answer = await mailing.ask(`/o/${`${(from += 1)}`.padStart(22, 'o')}/remind`, {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'application/json' },
    });
    return (await answer.json()) as { reminded: number; remindable: number };
  };
  const begin = (state: IntentState = 'created') => {
    mailing.becomes({ state });
    return mailing.note('es');
  };
  const later = (hours: number) =>
    mailing.db.pool.query(
      `update payer_mails set occurred_at = occurred_at - make_interval(hours => $1),
         changed_at = changed_at - make_interval(hours => $1)`,
      [hours],
    );

  it('a payer who has begun gets the mail in the language of the browser; it pays nothing, and leads to the payment (Q87)', async () => {
    await begin();
    expect(await (await mailing.ask(page)).text()).toContain('Remind 1 person by mail');
    expect(await remind()).toEqual({ reminded: 1, remindable: 0 });
    await mailing.pass();
    const { subject, text, html } = received()?.mail ?? {};
    expect(received()?.envelope.to).toEqual(['ada@example.com']);
    expect(subject).toBe('[Prueba] Casa Lola: Dinner: Faltan 2 partes.');
    expect(text).toContain('Quien organiza esta cuenta te pide que pagues tu parte.');
    // The amount is said, and the link says what the mail is for.
    for (const part of [text, html]) {
      expect(part).toMatch(/10,50\s€/);
      expect(part).toContain('Continuar con el pago');
      expect(part).not.toContain('Ver tu pago');
    }
    expect(`${text} ${html}`).not.toMatch(new RegExp(`/c/|/o/|${organiserToken}|Ada Lovelace`));
    expect(header('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
    const link = findLink(text);
    expect(await (await mailing.ask(link)).text()).toContain(`href="/c/${found.group.page_token}"`);
    mailing.becomes({ state: 'preauthorised' });
    expect(await (await mailing.ask(link)).text()).not.toContain('Continuar con el pago');
  });

  it('an address gets one in six hours and three in all, however often it is requested (Q87)', async () => {
    await begin('failed');
    const answers = await Promise.all([remind(), remind(), remind()]);
    expect(answers.map(({ reminded }) => reminded).toSorted()).toEqual([0, 0, 1]);
    await mailing.pass();
    for (const expected of [1, 1, 0]) {
      await later(5);
      expect((await remind()).reminded).toBe(0);
      await later(1);
      expect((await remind()).reminded).toBe(expected);
      await mailing.pass();
    }
    expect(mailing.server.received).toHaveLength(3);
  });

  it('a payer whose money is held, who was not noted, or who has unsubscribed gets none (Q87)', async () => {
    await begin('preauthorised');
    expect(await remind()).toEqual({ reminded: 0, remindable: 0 });
    mailing.becomes({ state: 'created', id: slotId });
    expect((await remind()).reminded).toBe(0);
    await begin();
    await remind();
    await mailing.pass();
    await mailing.ask(`${findLink(received()?.mail.text)}/unsubscribe`, { method: 'POST' });
    await later(7);
    expect(await remind()).toEqual({ reminded: 0, remindable: 0 });
  });

  it('while mails are off, the page has no button and a request sends none (Q87)', async () => {
    await begin();
    await mailing.switch(false);
    expect(await (await mailing.ask(page)).text()).not.toContain('by mail');
    expect((await remind()).reminded).toBe(0);
  });

  it('a payer who pays between the request and the mail gets none, and the limits of an address count (Q80, Q87)', async () => {
    await begin();
    await remind();
    mailing.answer({
      listPayments: async () => ({
        currency: 'EUR',
        payments: [
          { ...payment, id: slotId },
          { ...payment, state: 'failed' },
        ],
        next: null,
      }),
    });
    await mailing.pass();
    expect(await mailing.states()).toEqual(['organiser_reminder skipped overtaken']);
    mailing.limit({ mailsPerAddressAndHour: 1 });
    mailing.becomes({ state: 'failed' });
    await mailing.hear('payment_intent.released');
    await mailing.pass();
    await remind();
    await mailing.pass();
    expect((await mailing.states()).at(-1)).toBe('organiser_reminder skipped limited');
  });

  it('a group causes no more mails than three for each of its slots, whoever enters addresses at its page (Q87)', async () => {
    const many = Array.from({ length: 12 }, (_, n) => ({
      ...payment,
      id: `0198c3f0-0000-7000-8000-0000000001${String(n).padStart(2, '0')}`,
      email: `${n}@example.com`,
      state: 'failed' as const,
    }));
    mailing.answer({ listPayments: async () => ({ currency: 'EUR', payments: many, next: null }) });
    await mailing.note('en');
    await mailing.db.pool.query(
      `insert into mailed_payments (payment_intent_id, group_id, merchant_id, mode, locale, written_as)
       select i, group_id, merchant_id, mode, locale, written_as from mailed_payments, unnest($1::uuid[]) as i`,
      [many.map(({ id }) => id)],
    );
    expect(await remind()).toEqual({ reminded: 6, remindable: 0 });
    expect((await remind()).reminded).toBe(0);
  });
});
