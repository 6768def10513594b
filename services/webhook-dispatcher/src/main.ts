import { openBus } from '@gp/bus';
import { answerOperator, outboxRelay } from '@gp/outbox';
import { openPg } from '@gp/pg';
import { sealWith } from '@gp/seal';
import { failPoint, runService } from '@gp/service';
import { dispatcher } from './app/dispatcher.ts';
import { refuseUnlessGuarded } from './app/refuse-unless-guarded.ts';
import { maintainAttemptLog, reapEvents } from './app/retention.ts';
import { settleClosedLanes } from './app/settle-closed-lanes.ts';
import { takeEvent } from './app/take-event.ts';
import { answerCalls } from './bus/answers.ts';
import { messages, subscriptions } from './bus/subscriptions.ts';
import { config } from './config.ts';
import { observeDue } from './db/measures.ts';
import { openPoster } from './outbound/post.ts';

await runService('webhook-dispatcher', config, async (service) => {
  const { config, log, name } = service;
  const policy = { allowLoopback: config.allowLoopbackWebhooks };
  await refuseUnlessGuarded(policy, log);
  const db = await service.use(
    openPg({ url: config.databaseUrl, name, max: config.databaseConnections + 1 }),
  );
  const bus = await service.use(openBus({ servers: config.natsUrl, name, log, messages }));
  const seal = sealWith(config);
  const poster = await service.use(openPoster({ ...config, policy }));
  const dispatch = await service.use(dispatcher({ db, log, seal, poster, config }));
  const settle = settleClosedLanes(db);
  const onLaneChanged = (): void => [dispatch, settle].forEach((loop) => loop.wake());
  observeDue(db);
  answerCalls(service, bus, { db, seal, onLaneChanged });
  // It says only what an operator lets it hear again; the relay keeps one connection.
  const relay = outboxRelay({ db, bus, log, failPoint });
  service.loop(relay);
  answerOperator(service, bus, { context: 'webhooks', db, wakeRelay: relay.wake });
  const take = takeEvent({ db, wake: dispatch.wake });
  for (const subscription of subscriptions({ db, take })) service.consume(bus, subscription);
  for (const loop of [dispatch, settle, maintainAttemptLog(db), reapEvents(db)]) service.loop(loop);
});
