import { openBus } from '@gp/bus';
import * as contracts from '@gp/contracts';
import { answerOperator, outboxRelay, outboxRetention } from '@gp/outbox';
import { openPg } from '@gp/pg';
import { busOptions, failPoint, pgOptions, runService } from '@gp/service';
import { reapRequests } from './app/reap-requests.ts';
import { openRefundUpdates } from './app/refund-updates.ts';
import { requestRefund } from './app/request-refund.ts';
import { access } from './bus/access.ts';
import { callLedger } from './bus/neighbours.ts';
import { listenForUpdates, subscriptions } from './bus/subscriptions.ts';
import { config } from './config.ts';

/** Requests in hand at once. Most of them only wait for gateways, and callers repeat a request every two seconds. */
const REQUESTS_AT_ONCE = 512;

await runService('refund', config, async (service) => {
  const { config, log, name } = service;
  const db = await service.use(openPg({ ...pgOptions(config), name }));
  const bus = await service.use(openBus({ ...busOptions(config), access, name, log }));
  // Sends what an operator replays; the service writes no other messages.
  const relay = outboxRelay({ db, bus, log, failPoint, repeatAfterMs: config.outboxRepeatMs });
  const updates = openRefundUpdates();
  listenForUpdates(bus, updates);
  const parts = { db, log, ledger: callLedger(bus), updates, answerWithinMs: config.answerWithinMs };
  service.serve(bus, contracts.requestRefund, requestRefund(parts), { concurrency: REQUESTS_AT_ONCE });
  for (const subscription of subscriptions(db)) service.consume(bus, subscription);
  answerOperator(service, bus, { context: 'refund', db, wakeRelay: relay.wake });
  service.loop(relay);
  service.loop(reapRequests(db));
  service.loop(outboxRetention(db));
});
