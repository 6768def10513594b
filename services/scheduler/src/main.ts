import { openBus } from '@gp/bus';
import { changeTimers, findTimers } from '@gp/contracts';
import { answerOperator, measureBacklog, outboxRelay, outboxRetention } from '@gp/outbox';
import { openPg } from '@gp/pg';
import { failPoint, runService } from '@gp/service';
import { fireDueTimers } from './app/fire-due-timers.ts';
import { reapSettledTimers } from './app/reap-settled-timers.ts';
import { subscriptions } from './bus/subscriptions.ts';
import { config } from './config.ts';
import { observeOverdue } from './db/overdue.ts';
import { findTimersByKey } from './app/find-timers.ts';

await runService('scheduler', config, async (service) => {
  const { config, log, name } = service;
  const db = await service.use(openPg({ url: config.databaseUrl, name, max: 4 }));
  const bus = await service.use(openBus({ servers: config.natsUrl, name, log, messages: [changeTimers] }));
  const relay = outboxRelay({ db, bus, log, failPoint });
  measureBacklog(db);
  observeOverdue(db);
  service.serve(bus, findTimers, findTimersByKey(db));
  answerOperator(service, bus, { context: 'scheduler', db, wakeRelay: relay.wake });
  for (const subscription of subscriptions(db)) service.consume(bus, subscription);
  service.loop(relay);
  service.loop(fireDueTimers({ db, wakeRelay: relay.wake, idleMs: config.scanIntervalMs }));
  service.loop(reapSettledTimers(db));
  service.loop(outboxRetention(db));
});
