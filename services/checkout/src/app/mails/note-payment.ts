import { LOCALES } from '@gp/checkout-web/bootstrap';
import type { Mode } from '@gp/contracts';
import { findSettings } from '@gp/outbox';
import type { Db } from '@gp/pg';
import type { Logger } from '@gp/telemetry';
import { insertMailedPayment } from '../../db/mails/mailed-payments.ts';
import { addRegion, chooseLocale } from '../../domain/locale.ts';

export type NotePayment = (
  payment: { id: string; group_id: string; merchant_id: string; mode: Mode },
  languages: string | undefined,
) => Promise<void>;

/**
 * Notes a payment whose payer may get mails, where the merchant wants that, before the payer can authorise it. It never
 * rejects: a payment does not fail because of its mails.
 */
export function notePayment(db: Db, log: Pick<Logger, 'warn'>): NotePayment {
  return async ({ id, group_id, merchant_id, mode }, languages) => {
    try {
      const [settings] = await findSettings(db, [{ merchantId: merchant_id, mode }]);
      if (!settings?.payer_mails) return;
      const wish = { acceptLanguage: languages };
      const locale = chooseLocale(LOCALES, wish);
      const written_as = addRegion(locale, wish);
      await insertMailedPayment(db, {
        payment_intent_id: id,
        group_id,
        merchant_id,
        mode,
        locale,
        written_as,
      });
    } catch (err) {
      log.warn({ err }, 'a payment could not be noted for mails to its payer');
    }
  };
}
