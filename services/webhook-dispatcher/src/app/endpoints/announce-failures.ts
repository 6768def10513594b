import { endpointFailing, type EndpointFailing } from '@gp/contracts';
import { insertOutbox, type OutboxMessage } from '@gp/outbox';
import type { Db } from '@gp/pg';
import type { Loop } from '@gp/service';
import { uuidv7 } from 'uuidv7';
import * as failures from '../../db/endpoint-failures.ts';
import { formatShownAddress } from '../../domain/shown-address.ts';

/** By then each delivery was tried five times, and a server that was restarted or deployed has come back. */
export const FAILING_MS = 3 * 60 * 60 * 1_000;
/** Nobody waits for a notice by the minute, and each pass reads attempts. */
const PAUSE_MS = 5 * 60 * 1_000;

/**
 * Publishes that an endpoint of live mode has acknowledged nothing for three hours, and once more when deliveries to it are
 * given up (K19). What was published is marked in the same transaction, and forgotten with the first acknowledgement. Any
 * number of replicas may run it.
 */
export function announceFailures(o: { readonly db: Db; readonly wakeRelay: () => void }): Loop {
  return {
    name: 'announce-endpoint-failures',
    idleMs: PAUSE_MS,
    async runOnce() {
      const now = new Date();
      const count = await o.db.transaction(async (tx) => {
        await failures.deleteEndedFailures(tx, now);
        await failures.insertEndpointFailures(tx, now, FAILING_MS);
        const news = await failures.markEndpointNews(tx, now);
        await insertOutbox(tx, news.map(toMessage));
        return news.length;
      });
      if (count > 0) o.wakeRelay();
      return 'idle';
    },
  };
}

function toMessage(row: failures.EndpointNewsRow): OutboxMessage {
  const id = uuidv7();
  const payload: EndpointFailing = {
    notice_id: id,
    merchant_id: row.merchant_id,
    mode: 'live',
    endpoint_id: row.endpoint_id,
    address: formatShownAddress(row.url),
    trouble: row.given_up > 0n ? 'given_up' : 'failing',
    failing_since: row.failing_since.toISOString(),
    noticed_at: row.noticed_at.toISOString(),
    waiting: Number(row.waiting),
    given_up: Number(row.given_up),
    http_status: row.http_status,
    error_class: row.error_class,
  };
  const subject = `${endpointFailing.subject}.${row.merchant_id}`;
  return { id, subject, groupKey: row.merchant_id, mode: 'live', payload };
}
