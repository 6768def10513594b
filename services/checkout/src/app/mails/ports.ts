import type { MailWish, WrittenMail } from '@gp/checkout-web/bootstrap';
import type { Mode } from '@gp/contracts';
import type { Deliver } from '@gp/mail';
import type { Logger } from '@gp/telemetry';
import type { Db } from '@gp/pg';
import type { MailLimits } from '../../db/mails/payer-mails.ts';
import type { Brand } from '../../domain/brand.ts';
import type { Ledger, PaymentLists } from '../ports.ts';

/** What reading a payment for its payer needs. */
export type OwnPaymentParts = {
  readonly ledger: Pick<Ledger, 'findGroup'> & PaymentLists;
  readonly findBrand: (owner: { merchant_id: string; mode: Mode }) => Promise<Brand>;
};

/** What mails to payers are sent with. */
export type MailParts = OwnPaymentParts & {
  readonly db: Db;
  readonly deliver: Deliver;
  /** Those whose payers are mailed. */
  readonly modes: readonly Mode[];
  readonly write: (wish: MailWish) => WrittenMail;
  /** Our own address, without a slash at the end. */
  readonly home: string;
  readonly limits: MailLimits;
  readonly log: Pick<Logger, 'warn'>;
};
