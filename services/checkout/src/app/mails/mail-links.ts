import type { OwnPayment } from '@gp/checkout-web/bootstrap';
import { notFound } from '@gp/errors';
import type { Db } from '@gp/pg';
import type { Loop } from '@gp/service';
import {
  changeOptOut,
  deleteOldMailedPayments,
  findPaymentByToken,
  type LinkedPayment,
} from '../../db/mails/mailed-payments.ts';
import { findOwnPayment } from './find-own-payment.ts';
import { hashToken } from './hashes.ts';
import type { Ledger } from '../ports.ts';
import type { OwnPaymentParts } from './ports.ts';

/**
 * `payPath`: the path of the checkout page, where the payment is not finished or is held, and its group waits for payers. `shownName`: the
 * name that is shown to whoever has the group's link.
 */
export type OpenedLink = {
  readonly payment: OwnPayment;
  readonly shownName: string | null;
  readonly mails: 'on' | 'off';
  readonly payPath: string | null;
};

export type MailLinks = {
  /** Returns the payment behind a mail's link; rejects with `not_found` for every unknown one. Changes nothing. */
  open(token: string): Promise<OpenedLink>;
  /** Ends the mails to the address that the link went to, about its merchant, or lets them go on. Rejects as `open`. */
  change(token: string, mails: 'on' | 'off'): Promise<void>;
  /** Shows the payer's name to nobody else any longer (Q99). Rejects as `open`. */
  hideName(token: string): Promise<void>;
};

/** What the link of a mail leads to. */
export function mailLinks(
  parts: OwnPaymentParts & { readonly db: Db; readonly ledger: Pick<Ledger, 'hideName'> },
): MailLinks {
  const { db } = parts;
  const find = async (token: string): Promise<LinkedPayment> => {
    const found = await findPaymentByToken(db, hashToken(token));
    if (!found) throw notFound('payment');
    return found;
  };
  return {
    async open(token) {
      const linked = await find(token);
      const { payment, payPath, shownName } = await findOwnPayment(parts)(linked);
      return { payment, payPath, shownName, mails: linked.is_opted_out ? 'off' : 'on' };
    },
    async change(token, mails) {
      await changeOptOut(db, await find(token), mails);
    },
    async hideName(token) {
      const { merchant_id, mode, group_id, payment_intent_id: intent_id } = await find(token);
      await parts.ledger.hideName({ merchant_id, mode, group_id, intent_id });
    },
  };
}

/** Deletes what is known of mailed payments after 400 days, with their mails and links. */
export function reapMailedPayments(db: Db): Loop {
  return {
    name: 'reap-mailed-payments',
    idleMs: 3_600_000,
    runOnce: async () => ((await deleteOldMailedPayments(db)) > 0 ? 'busy' : 'idle'),
  };
}
