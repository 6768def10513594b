import { TROUBLE_EVENT_TYPES, type HeardEvent, type TroubleEventType } from '@gp/contracts';
import { claimInbox, countDuplicates } from '@gp/outbox';
import type { Db } from '@gp/pg';
import { listOwnerEmails } from '../../db/users.ts';
import { isWithin } from '../account/tries.ts';
import { letters } from './letters.ts';
import type { MailQueue } from './mail-queue.ts';

/** The inbox name under which an event is taken once. */
const CONSUMER = 'dashboard-troubles';
countDuplicates(CONSUMER, 0);

/** A gateway that is down fails many payments at once: these mails of a type say enough, the dashboard shows the rest. */
export const HOURLY = { most: 10, seconds: 60 * 60 };

/** The first start after an upgrade receives the events of two weeks: a mail about an old one comes too late to help. */
const NEWS_MS = 24 * 60 * 60 * 1_000;

/** Returns whether something happened so lately that a mail about it helps. */
export function isNews(at: string): boolean {
  return Date.now() - Date.parse(at) <= NEWS_MS;
}

const isTrouble = (type: string): type is TroubleEventType =>
  (TROUBLE_EVENT_TYPES as readonly string[]).includes(type);

/**
 * Mails a merchant's owners each dispute, failed capture and failed refund of live mode. The mails are stored in the transaction
 * that marks the event as taken, so that an event which comes again causes none. One of the day before causes none either.
 */
export function takeTrouble(
  db: Db,
  { queue, dashboard }: { readonly queue: Pick<MailQueue, 'put'>; readonly dashboard: string },
): (event: HeardEvent) => Promise<void> {
  const write = letters(dashboard);
  return async ({ id, type, created, mode, merchant_id: merchantId, group_id: groupId }) => {
    if (mode !== 'live' || !isTrouble(type) || !isNews(created)) return;
    await db.transaction(async (tx) => {
      if (!(await claimInbox(tx, CONSUMER, id))) return;
      if (!(await isWithin(tx, { what: type, of: merchantId, limit: HOURLY }))) return;
      for (const to of await listOwnerEmails(tx, merchantId))
        await queue.put(tx, write.trouble(to, { type, groupId }));
    });
  };
}
