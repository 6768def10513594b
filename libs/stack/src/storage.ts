import { join } from 'node:path';
import { openBus } from '@gp/bus';
import { ensureDatabase, migrate } from '@gp/pg';
import { services } from './services.ts';
import type { Settings, Urls } from './settings.ts';

/** The identity that creates streams. */
const INSTALLATION = { name: 'installation', ownsStreams: true };

/**
 * Creates the database, every service's schema and role, and the streams. Returns their addresses for the
 * services.
 */
export async function prepareStorage({ root, secrets }: Settings, servers: Urls): Promise<Urls> {
  const urls = {
    ...servers,
    postgres: await ensureDatabase(servers.postgres, 'gp'),
    gateways: await ensureDatabase(servers.gateways, 'gp'),
  };
  for (const { schema, migrations, database } of services)
    await migrate({
      url: urls[database],
      schema,
      role: schema,
      password: secrets.roles[schema] ?? '',
      directories: migrations.map((folder) => join(root, folder)),
    });
  const nkeySeed = urls.natsSeeds[INSTALLATION.name];
  const bus = await openBus({ servers: urls.nats, name: 'stack', access: INSTALLATION, nkeySeed });
  try {
    await bus.ensureStreams();
  } finally {
    await bus.close();
  }
  return urls;
}
