import type { Bus } from '@gp/bus';
import { isGatewayOperation } from '@gp/contracts';
import { answerOperator, outboxRelay, outboxRetention } from '@gp/outbox';
import type { Db } from '@gp/pg';
import { failPoint, type Service } from '@gp/service';
import { followTestClock } from '@gp/test-clock';
import { addPostings } from './app/books/add-postings.ts';
import { reapCommands } from './app/change/reap-commands.ts';
import { fillLastPayments } from './app/customers/fill-last-payments.ts';
import { takingTurns } from './app/change/in-turn.ts';
import { countGroups } from './app/groups/count-groups.ts';
import { measureDrift } from './app/reconciliation/measure-drift.ts';
import { reconcile } from './app/reconciliation/reconcile.ts';
import { answerCalls } from './bus/answers.ts';
import { readGatewayBooks } from './bus/gateways.ts';
import { publishChanges } from './bus/publish-changes.ts';
import { subscriptions } from './bus/subscriptions.ts';
import type { LedgerConfig } from './config.ts';
import { buildSilenceSchedule, defaultPolicy, parseFirstOperator } from './domain/index.ts';

/** Connects everything the ledger does to a database and a bus. */
export function wireLedger(service: Service<LedgerConfig>, { db, bus }: { db: Db; bus: Bus }): void {
  const { config, log } = service;
  const repeatAfterMs = config.outboxRepeatMs;
  // Orders are repeated by timers until they are answered.
  const isRepeated = (subject: string): boolean => !isGatewayOperation(subject);
  const relay = outboxRelay({ db, bus, log, failPoint, repeatAfterMs, isRepeated });
  const publishChange = publishChanges(bus);
  const policy = { ...defaultPolicy, silenceSchedule: buildSilenceSchedule(config.orderSilenceMs) };
  const { firstOperator: first } = config;
  const firstOperator = first === undefined ? undefined : parseFirstOperator(first);
  const [settleSeconds, leaseSeconds] = [config.reconcileSettleMs / 1000, config.reconcileLeaseMs / 1000];
  const compare = reconcile({ db, log, readBooks: readGatewayBooks(bus), settleSeconds, leaseSeconds });
  const wakes = { wakeRelay: relay.wake, wakeReconciliation: compare.wake };
  const running = { db, log, ...wakes, inTurn: takingTurns(), publishChange };
  const parts = { ...running, policy, firstOperator };
  measureDrift(db);
  answerCalls(service, bus, parts);
  answerOperator(service, bus, { context: 'ledger', db, wakeRelay: relay.wake });
  followTestClock(service, { bus, db, context: 'ledger', hasOutbox: true, wakeRelay: relay.wake });
  for (const subscription of subscriptions(parts)) service.consume(bus, subscription);
  service.loop(relay);
  service.loop(compare);
  service.loop(reapCommands(db));
  service.loop(addPostings(db));
  service.loop(countGroups(db));
  service.loop(fillLastPayments(db));
  service.loop(outboxRetention(db));
}
