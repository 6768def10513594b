import { randomUUID } from 'node:crypto';
import type { HeardEvent, Mode, PaymentView } from '@gp/contracts';
import { openMailServer } from '@gp/testing';
import { openMails } from '../../src/open-mails.ts';
import { found, groupId, intentId, payment } from './checkout.ts';
import { home, openCheckoutWeb } from './web.ts';

const limits = {
  mailsPerAddressAndHour: 20,
  mailsPerAddressGroupAndDay: 12,
  mailsPerTestMerchantAndDay: 100,
};

/** Checkout's pages with mails to payers, by a real mail server, with responders in place of the other services. */
export async function openMailing() {
  const web = await openCheckoutWeb({
    reminders: {
      count: (group) => mails.reminders.count(group),
      send: (group) => mails.reminders.send(group),
    },
  });
  const server = await openMailServer({ disabledCommands: ['STARTTLS'] });
  const { db, ledger } = web;
  const logged: string[] = [];
  const open = (changed: Partial<typeof limits & { mailUrl: string }> = {}) => {
    const config = {
      ...limits,
      mailUrl: `smtp://127.0.0.1:${server.port}`,
      mailFrom: 'Group Payments <no-reply@platform.example>',
      mailTls: 'offered',
      ...changed,
    };
    const mails = openMails(config as unknown as Parameters<typeof openMails>[0], {
      db,
      ledger,
      write: web.pages.writeMail,
      home,
      log: {
        warn: (fields: unknown, text?: unknown) =>
          void logged.push(`${JSON.stringify(fields)} ${String(text)}`),
      },
    });
    if (!mails) throw new Error('a mail server is configured');
    return mails;
  };
  let mails = open();
  const pass = async () => {
    for (const loop of mails.loops) await loop.runOnce(AbortSignal.timeout(30_000));
  };
  return {
    ...web,
    server,
    logged,
    limit: (changed: Partial<typeof limits>) => void (mails = open(changed)),
    /** Writes mails into a folder from now on, in place of the mail server. */
    useFolder: (mailUrl: string) => void (mails = open({ mailUrl })),
    /** The merchant's switch. */
    switch: (payer_mails: boolean, business_name = 'Casa Lola', mode: Mode = 'test') =>
      web.register([], { mode }, { business_name, payer_mails }),
    note: (languages?: string, mode: Mode = 'test') =>
      mails.notePayment({ id: intentId, group_id: groupId, merchant_id: 'm1', mode }, languages),
    /** The payment as the ledger has it from now on. */
    becomes: (changed: Partial<PaymentView>) =>
      web.answer({
        listPayments: async () => ({ currency: 'EUR', payments: [{ ...payment, ...changed }], next: null }),
      }),
    /** The group as the ledger has it from now on. */
    groupBecomes: (changed: Partial<typeof found.group>, awaits_payers = true) =>
      web.answer({
        find: async () => ({
          ...found,
          group: { ...found.group, ...changed },
          facts: { ...found.facts, awaits_payers },
        }),
      }),
    /** Hands an event over, as the bus does. */
    async hear(type: string, changed: Partial<HeardEvent> = {}) {
      const event: HeardEvent = {
        id: randomUUID(),
        type,
        created: new Date().toISOString(),
        merchant_id: 'm1',
        mode: 'test',
        group_id: groupId,
        sequence: 1,
        data: { payment_intent_id: intentId },
        ...changed,
      };
      await mails.takeEvent(event);
      return event;
    },
    pass,
    /** Makes every mail due, and tries those. */
    async passAll() {
      await db.pool.query(
        `update payer_mails set due_at = clock_timestamp() - interval '1 minute' where state = 'due'`,
      );
      await pass();
    },
    states: async () =>
      (
        await web.rows<{ kind: string; state: string; reason: string | null }>(
          'select kind, state, reason from payer_mails order by occurred_at, kind',
        )
      ).map(({ kind, state, reason }) => [kind, state, ...(reason === null ? [] : [reason])].join(' ')),
    async clear() {
      web.reset();
      Object.assign(server.answers, { recipient: undefined, message: undefined, breaksOffAt: undefined });
      server.received.length = 0;
      mails = open();
      logged.length = 0;
      for (const table of ['payer_mails', 'mailed_payments', 'mail_opt_outs'])
        await db.pool.query(`delete from ${table}`);
    },
    async close() {
      await server.close();
      await web.close();
    },
  };
}

export type Mailing = Awaited<ReturnType<typeof openMailing>>;

/** The path of the link in a mail. */
export const findLink = (text: string | undefined): string =>
  /http:\/\/pay\.test(\/p\/[\w-]+)/.exec(text ?? '')?.[1] ?? '';
