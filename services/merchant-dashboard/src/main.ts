import { openBus } from '@gp/bus';
import { apiKeyChanged, gatewayChanged, noteKeyExposure, originsChanged } from '@gp/contracts';
import { answerOperator, measureBacklog, outboxRelay, outboxRetention } from '@gp/outbox';
import { openPg } from '@gp/pg';
import { failPoint, runService } from '@gp/service';
import { reapSessions } from './app/sessions.ts';
import { neighboursOn } from './bus/neighbours.ts';
import { subscriptions } from './bus/subscriptions.ts';
import { config, pepperOf } from './config.ts';
import { routes } from './http/routes.ts';

await runService('merchant-dashboard', config, async (service) => {
  const { config, log, name } = service;
  const db = await service.use(openPg({ url: config.databaseUrl, name, max: 3 }));
  const messages = [apiKeyChanged, gatewayChanged, noteKeyExposure, originsChanged];
  const bus = await service.use(openBus({ servers: config.natsUrl, name, log, messages }));
  const relay = outboxRelay({ db, bus, log, failPoint });
  const parts = { db, wakeRelay: relay.wake, neighbours: neighboursOn(bus), pepper: pepperOf(config) };
  measureBacklog(db);
  answerOperator(service, bus, { context: 'merchant', db, wakeRelay: relay.wake });
  for (const subscription of subscriptions(db)) service.consume(bus, subscription);
  service.loop(relay);
  service.loop(reapSessions(db));
  service.loop(outboxRetention(db));
  await service.http(routes(parts), { port: config.port, host: config.host });
});
