import { resolve } from 'node:path';
import { describeConfig } from '@gp/config';
import { outboxMigrations } from '@gp/outbox';
import { inert, listRoutes, type Generated } from '@gp/testing';
import { config } from '../src/config.ts';
import { pageRoutes } from '../src/http/pages.routes.ts';
import { routes } from '../src/http/routes.ts';
import { writeGatewayList } from './gateway-list.ts';

const folder = resolve(import.meta.dirname, '..');

/** Files that are written from the source and checked in. */
export const generated = {
  folder,
  files: {
    'web/src/gateways.ts': await writeGatewayList(),
    'routes.json': listRoutes([...routes(inert()), ...pageRoutes(inert())]),
  },
  schema: { schema: 'merchant', directories: [outboxMigrations, resolve(folder, 'migrations')] },
  readme: { configuration: describeConfig(config) },
} satisfies Generated;
