import { openBus } from '@gp/bus';
import { answerOperator, outboxRelay, outboxRetention } from '@gp/outbox';
import { openPg } from '@gp/pg';
import { openSeal } from '@gp/seal';
import { resealRows } from '@gp/sealed-rows';
import { busOptions, failPoint, pgOptions, runService } from '@gp/service';
import { followTestClock } from '@gp/test-clock';
import { dispatcher } from './app/dispatcher.ts';
import { announceFailures } from './app/endpoints/announce-failures.ts';
import { recoverDeliveries } from './app/recoveries/recover-deliveries.ts';
import { refuseUnlessGuarded } from './app/refuse-unless-guarded.ts';
import { upkeep } from './app/retention.ts';
import { settleClosedLanes } from './app/lanes/settle-closed-lanes.ts';
import { takeEvent } from './app/events/take-event.ts';
import { access } from './bus/access.ts';
import { answerCalls } from './bus/answers.ts';
import { subscriptions } from './bus/subscriptions.ts';
import { config } from './config.ts';
import { observeDue } from './db/measures.ts';
import { sealedColumns } from './db/sealed-columns.ts';
import { findTestDeliveries, shiftTestRetries } from './db/test-clock.ts';
import { openPoster } from './outbound/post.ts';

await runService('webhook-dispatcher', config, async (service) => {
  const { config, log, name } = service;
  const policy = { allowLoopback: config.allowLoopbackWebhooks };
  await refuseUnlessGuarded(policy, log);
  const db = await service.use(openPg({ ...pgOptions(config), name }));
  const bus = await service.use(openBus({ ...busOptions(config), access, name, log }));
  const seal = await openSeal(config);
  const poster = await service.use(openPoster({ ...config, policy }));
  const dispatch = await service.use(dispatcher({ db, log, seal, poster, config }));
  const settle = settleClosedLanes(db);
  const onLaneChanged = (): void => [dispatch, settle].forEach((loop) => loop.wake());
  observeDue(db, dispatch);
  const recover = recoverDeliveries({ db, onRecovered: dispatch.wake });
  answerCalls(service, bus, { db, seal, onLaneChanged, onDue: dispatch.wake, onRecovery: recover.wake });
  // It sends notices of failing endpoints and what an operator replays; the relay keeps one connection.
  const relay = outboxRelay({ db, bus, log, failPoint, repeatAfterMs: config.outboxRepeatMs });
  service.loop(relay);
  answerOperator(service, bus, { context: 'webhooks', db, wakeRelay: relay.wake });
  followTestClock(service, {
    bus,
    db,
    context: 'webhooks',
    hasOutbox: true,
    wakeRelay: relay.wake,
    shift: shiftTestRetries,
    onMoved: dispatch.wake,
    work: (merchantId, asOf) =>
      findTestDeliveries(db, { merchantId, asOf, unresponsive: dispatch.unresponsive() }),
  });
  const onStored = (): void => {
    dispatch.wake();
    settle.wake(settle.idleMs);
  };
  const take = takeEvent({ db, claimAtOnce: dispatch.claimAtOnce, wake: onStored });
  for (const subscription of subscriptions({ db, take })) service.consume(bus, subscription);
  const reseal = resealRows({ db, seal, log, columns: sealedColumns });
  const announce = announceFailures({ db, wakeRelay: relay.wake });
  for (const loop of [dispatch, settle, recover, reseal, announce, outboxRetention(db), ...upkeep(db)])
    service.loop(loop);
});
