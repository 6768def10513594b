import { findSettings } from '@gp/outbox';
import type { Db } from '@gp/pg';
import {
  countRemindable,
  insertOrganiserReminders,
  type Candidate,
  type Reminding,
} from '../../db/mails/organiser-reminders.ts';
import type { MailedPayment } from '../../db/mails/mailed-payments.ts';
import { chooseReminded } from '../../domain/mails/choose-reminded.ts';
import type { KnownGroup } from '../../domain/picture.ts';
import { hashAddress } from './hashes.ts';
import type { OwnPaymentParts } from './ports.ts';

/** The reminders that an organiser may send. */
export type OrganiserReminders = {
  /** Returns how many payers a reminder would reach now. */
  count(found: KnownGroup): Promise<number>;
  /** Makes the mails due, and returns how many. One that is requested again too early makes none. */
  send(found: KnownGroup): Promise<number>;
};

type Ledger = OwnPaymentParts['ledger'];
type Scope = Pick<MailedPayment, 'merchant_id' | 'mode' | 'group_id'>;

const PAGE = 100;
/** A group with more payments has been tried by a machine: the newest ones are enough. */
const MOST_PAGES = 5;

/** An organiser's reminders, in an installation that sends mails. */
export function organiserReminders(parts: {
  readonly db: Db;
  readonly ledger: Ledger;
  readonly wake: () => void;
}): OrganiserReminders {
  const { db, ledger, wake } = parts;
  const listCandidates = async ({ group, slots, facts }: KnownGroup): Promise<Candidate[]> => {
    const { merchant_id, mode, id: group_id } = group;
    const [settings] = await findSettings(db, [{ merchantId: merchant_id, mode }]);
    if (!settings?.payer_mails || !facts.awaits_payers) return [];
    const payments = await listPayments(ledger, { merchant_id, mode, group_id });
    return chooseReminded(payments, slots).map(({ payment_intent_id, email }) => ({
      payment_intent_id,
      addressHash: hashAddress(email),
    }));
  };
  const find = async (found: KnownGroup): Promise<Reminding> => ({
    groupId: found.group.id,
    slots: found.slots.length,
    candidates: await listCandidates(found),
  });
  return {
    async count(found) {
      const reminding = await find(found);
      return reminding.candidates.length === 0 ? 0 : countRemindable(db, reminding);
    },
    async send(found) {
      const reminding = await find(found);
      if (reminding.candidates.length === 0) return 0;
      const sent = await insertOrganiserReminders(db, reminding);
      wake();
      return sent;
    },
  };
}

/** Returns whether a reminder that is due is still for this payment: its payer may have paid with another one. */
export async function isStillAsked(ledger: Ledger, mail: MailedPayment): Promise<boolean> {
  const { merchant_id, mode, group_id, payment_intent_id } = mail;
  const scope = { merchant_id, mode, group_id };
  const [{ slots }, payments] = await Promise.all([ledger.findGroup(scope), listPayments(ledger, scope)]);
  return chooseReminded(payments, slots).some((reminded) => reminded.payment_intent_id === payment_intent_id);
}

/** Returns the payments of a group, newest first. */
async function listPayments(ledger: Ledger, scope: Scope) {
  const asked = { ...scope, limit: PAGE };
  const pages = [await ledger.listPayments(asked)];
  for (let next = pages[0]?.next; next && pages.length < MOST_PAGES; next = pages.at(-1)?.next)
    pages.push(await ledger.listPayments({ ...asked, after: next }));
  return pages.flatMap(({ payments }) => payments);
}
