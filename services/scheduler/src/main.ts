import { openBus } from '@gp/bus';
import { openPg } from '@gp/pg';
import { runService } from '@gp/service';
import { config } from './config.ts';
import { wireScheduler } from './wire.ts';

await runService('scheduler', config, async (service) => {
  const { config, log, name } = service;
  const db = await service.use(openPg({ url: config.databaseUrl, name, max: 4 }));
  const bus = await service.use(openBus({ servers: config.natsUrl, name, log }));
  wireScheduler(service, { db, bus });
});
