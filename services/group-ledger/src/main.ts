import { openBus } from '@gp/bus';
import { gatewayChanged, outcomeRecorded } from '@gp/contracts';
import { answerOperator, outboxRelay, outboxRetention } from '@gp/outbox';
import { openPg } from '@gp/pg';
import { failPoint, runService } from '@gp/service';
import { followTestClock } from '@gp/test-clock';
import { takingTurns } from './app/change/in-turn.ts';
import { measureDrift } from './app/reconciliation/measure-drift.ts';
import { reconcile } from './app/reconciliation/reconcile.ts';
import { changeNotesOn } from './bus/change-notes.ts';
import { booksOn } from './bus/gateways.ts';
import { reapCommands } from './app/change/reap-commands.ts';
import { answerCalls } from './bus/answers.ts';
import { subscriptions, timerFired } from './bus/subscriptions.ts';
import { config } from './config.ts';

const messages = [outcomeRecorded, timerFired, gatewayChanged];

await runService('group-ledger', config, async (service) => {
  const { config, log, name } = service;
  const db = await service.use(openPg({ url: config.databaseUrl, name }));
  const bus = await service.use(openBus({ servers: config.natsUrl, name, log, messages }));
  await bus.ensureStreams();
  const relay = outboxRelay({ db, bus, log, failPoint });
  const tellChanged = changeNotesOn(bus);
  const parts = { db, log, wakeRelay: relay.wake, inTurn: takingTurns(), tellChanged };
  measureDrift(db);
  answerCalls(service, bus, parts);
  answerOperator(service, bus, { context: 'ledger', db, wakeRelay: relay.wake });
  followTestClock(service, { bus, db, context: 'ledger', hasOutbox: true });
  for (const subscription of subscriptions(parts)) service.consume(bus, subscription);
  service.loop(relay);
  const [settleSeconds, leaseSeconds] = [config.reconcileSettleMs / 1000, config.reconcileLeaseMs / 1000];
  service.loop(reconcile({ db, log, readBooks: booksOn(bus), settleSeconds, leaseSeconds }));
  service.loop(reapCommands(db));
  service.loop(outboxRetention(db));
});
