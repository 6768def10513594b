import { openBus } from '@gp/bus';
import { openPg } from '@gp/pg';
import { busOptions, pgOptions, runService } from '@gp/service';
import { access } from './bus/access.ts';
import { config } from './config.ts';
import { wireScheduler } from './wire.ts';

await runService('scheduler', config, async (service) => {
  const { config, log, name } = service;
  const db = await service.use(openPg({ ...pgOptions(config), name }));
  const bus = await service.use(openBus({ ...busOptions(config), access, name, log }));
  wireScheduler(service, { db, bus });
});
