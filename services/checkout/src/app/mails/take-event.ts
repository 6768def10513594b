import type { HeardEvent } from '@gp/contracts';
import type { Db } from '@gp/pg';
import { insertPayerMails, recomputeReminders } from '../../db/mails/payer-mails.ts';
import { causesMails, MAILS_OF } from '../../domain/mails/payer-mail.ts';

/** Notes the mails that an event causes; an event that comes again causes none. */
export function takeMailedEvent(db: Db, wake: () => void): (event: HeardEvent) => Promise<void> {
  return async ({ id, type, created, group_id, data }) => {
    if (type === 'group_payment.updated') await recomputeReminders(db, group_id);
    if (!causesMails(type)) return;
    const paymentIntentId = String(data['payment_intent_id']);
    await insertPayerMails(db, { eventId: id, paymentIntentId, occurredAt: created, kinds: MAILS_OF[type] });
    wake();
  };
}
