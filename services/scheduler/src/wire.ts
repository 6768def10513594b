import type { Bus } from '@gp/bus';
import { findTimers } from '@gp/contracts';
import { answerOperator, outboxRelay, outboxRetention } from '@gp/outbox';
import type { Db } from '@gp/pg';
import { failPoint, type Service } from '@gp/service';
import { driveTestClocks } from './app/drive-test-clocks.ts';
import { findTimersByKey } from './app/find-timers.ts';
import { fireDueTimers } from './app/fire-due-timers.ts';
import { reapAdvances } from './app/reap-advances.ts';
import { reapSettledTimers } from './app/reap-settled-timers.ts';
import { answerCalls } from './bus/answers.ts';
import { callFollowers } from './bus/followers.ts';
import { subscriptions } from './bus/subscriptions.ts';
import type { SchedulerConfig } from './config.ts';
import { observeOverdue } from './db/overdue.ts';

/** Connects everything the scheduler does to a database and a bus. */
export function wireScheduler(service: Service<SchedulerConfig>, { db, bus }: { db: Db; bus: Bus }): void {
  const { config, log } = service;
  const relay = outboxRelay({ db, bus, log, failPoint, repeatAfterMs: config.outboxRepeatMs });
  observeOverdue(db);
  service.serve(bus, findTimers, findTimersByKey(db));
  answerOperator(service, bus, { context: 'scheduler', db, wakeRelay: relay.wake });
  service.loop(relay);
  const fire = fireDueTimers({ db, wakeRelay: relay.wake, longestPauseMs: config.scanIntervalMs });
  for (const subscription of subscriptions(db, fire.expect)) service.consume(bus, subscription);
  service.loop(fire);
  const followers = callFollowers({
    bus,
    db,
    contexts: config.testClockFollowers.split(','),
    wakeRelay: relay.wake,
  });
  const drive = driveTestClocks({ db, log, followers, onReleased: fire.wake, idleMs: 1_000 });
  service.loop(drive);
  answerCalls(service, bus, { db, wakeDriver: drive.wake });
  service.loop(reapSettledTimers(db));
  service.loop(reapAdvances(db));
  service.loop(outboxRetention(db));
}
