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
import type { OwnPaymentParts } from './ports.ts';

/** `payPath`: the path of the checkout page, where the payment is not finished and its group still waits for payers. */
export type OpenedLink = {
  readonly payment: OwnPayment;
  readonly mails: 'on' | 'off';
  readonly payPath: string | null;
};

export type MailLinks = {
  /** Returns the payment behind a mail's link; rejects with `not_found` for every unknown one. Changes nothing. */
  open(token: string): Promise<OpenedLink>;
  /** Ends the mails to the address that the link went to, about its merchant, or lets them go on. Rejects as `open`. */
  change(token: string, mails: 'on' | 'off'): Promise<void>;
};

/** What the link of a mail leads to. */
export function mailLinks(parts: OwnPaymentParts & { readonly db: Db }): MailLinks {
  const { db } = parts;
  const find = async (token: string): Promise<LinkedPayment> => {
    const found = await findPaymentByToken(db, hashToken(token));
    if (!found) throw notFound('payment');
    return found;
  };
  return {
    async open(token) {
      const linked = await find(token);
      const { payment, payPath } = await findOwnPayment(parts)(linked);
      return { payment, payPath, mails: linked.is_opted_out ? 'off' : 'on' };
    },
    async change(token, mails) {
      await changeOptOut(db, await find(token), mails);
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
