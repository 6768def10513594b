import { join } from 'node:path';
import { listNatsUsers } from './identities.ts';
import { startNats } from './servers/nats.ts';
import { startPostgres } from './servers/postgres.ts';
import type { Settings, Urls } from './settings.ts';
import { superviseServer } from './supervise-server.ts';
import type { Supervised } from './supervisor.ts';

/** Builds the servers that the environment does not name, to be started here, and the address of each server. */
export function embeddedServers({ env, ports, dataDir, secrets }: Settings): {
  servers: Supervised[];
  urls: Urls;
} {
  const { DATABASE_URL: postgres, DATABASE_POOLER_URL: pooler, NATS_URL: nats } = env;
  const servers: Supervised[] = [];
  if (postgres === undefined) {
    const options = {
      dataDir: join(dataDir, 'postgres'),
      port: ports.postgres,
      superuserPassword: secrets.postgres,
    };
    servers.push(superviseServer('postgres', () => startPostgres(options)));
  }
  if (nats === undefined) {
    const users = listNatsUsers(secrets.natsSeeds);
    const options = { dataDir: join(dataDir, 'nats'), port: ports.nats, users };
    servers.push(superviseServer('nats', () => startNats(options)));
  }
  const own = postgres ?? `postgres://postgres:${secrets.postgres}@127.0.0.1:${ports.postgres}/postgres`;
  return {
    servers,
    urls: {
      postgres: own,
      nats: nats ?? `nats://127.0.0.1:${ports.nats}`,
      gateways: env['SANDBOX_DATABASE_URL'] ?? own,
      pooler,
      natsSeeds: nats === undefined ? secrets.natsSeeds : {},
    },
  };
}
