import type { EndpointFailing } from '@gp/contracts';
import { claimInbox, countDuplicates } from '@gp/outbox';
import type { Db } from '@gp/pg';
import { listEmails } from '../../db/users.ts';
import type { Role } from '../../domain/roles.ts';
import { isWithin } from '../account/tries.ts';
import { letters } from './letters.ts';
import type { MailQueue } from './mail-queue.ts';
import { HOURLY, isNews } from './trouble-notices.ts';

/** The inbox name under which a notice is taken once. */
const CONSUMER = 'dashboard-failing-endpoints';
countDuplicates(CONSUMER, 0);

/** Those who answer for the business, and those who mend its server. */
const READERS: readonly Role[] = ['owner', 'developer'];

/**
 * Mails a merchant's owners and developers that a webhook endpoint of live mode fails (K19). The mails are stored in the
 * transaction that marks the notice as taken, so that a notice which comes again causes none. One of the day before causes
 * none either.
 */
export function takeEndpointFailing(
  db: Db,
  { queue, dashboard }: { readonly queue: Pick<MailQueue, 'put'>; readonly dashboard: string },
): (notice: EndpointFailing) => Promise<void> {
  const write = letters(dashboard);
  return async (notice) => {
    const { notice_id: id, mode, merchant_id: merchantId, trouble, noticed_at } = notice;
    if (mode !== 'live' || !isNews(noticed_at)) return;
    await db.transaction(async (tx) => {
      if (!(await claimInbox(tx, CONSUMER, id))) return;
      if (!(await isWithin(tx, { what: `endpoint.${trouble}`, of: merchantId, limit: HOURLY }))) return;
      for (const to of await listEmails(tx, merchantId, READERS))
        await queue.put(tx, write.endpointFailing(to, notice));
    });
  };
}
