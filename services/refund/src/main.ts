import { openBus } from '@gp/bus';
import * as contracts from '@gp/contracts';
import { answerOperator, outboxRelay, outboxRetention } from '@gp/outbox';
import { openPg } from '@gp/pg';
import { failPoint, runService } from '@gp/service';
import { reapRequests } from './app/reap-requests.ts';
import { refundNews } from './app/refund-news.ts';
import { requestRefund } from './app/request-refund.ts';
import { ledgerOn } from './bus/neighbours.ts';
import { hearNews, subscriptions } from './bus/subscriptions.ts';
import { config } from './config.ts';

/** Most of them only wait for gateways, or join one that does: a caller asks again every two seconds. */
const REFUNDS = 512;

await runService('refund', config, async (service) => {
  const { config, log, name } = service;
  const db = await service.use(openPg({ url: config.databaseUrl, name, max: 4 }));
  const bus = await service.use(openBus({ servers: config.natsUrl, name, log }));
  // Carries what an operator sends again; nothing else leaves this service by itself.
  const relay = outboxRelay({ db, bus, log, failPoint });
  const news = refundNews();
  hearNews(bus, news);
  const parts = { db, log, ledger: ledgerOn(bus), news, answerWithinMs: config.answerWithinMs };
  service.serve(bus, contracts.requestRefund, requestRefund(parts), { concurrency: REFUNDS });
  for (const subscription of subscriptions(db)) service.consume(bus, subscription);
  answerOperator(service, bus, { context: 'refund', db, wakeRelay: relay.wake });
  service.loop(relay);
  service.loop(reapRequests(db));
  service.loop(outboxRetention(db));
});
