import { resolve } from 'node:path';
import { describeConfig } from '@gp/config';
import { outboxMigrations } from '@gp/outbox';
import { inert, listRoutes, type Generated } from '@gp/testing';
import { config } from '../src/config.ts';
import { routes } from '../src/http/routes.ts';
import { widgetRoutes } from '../src/http/widget.routes.ts';
import { openWeb } from '../src/open-web.ts';
import { writeFormTables } from './gateway-forms.ts';

const folder = resolve(import.meta.dirname, '..');

const widget = { latest: '1', loaders: new Map([['1', { code: '', integrity: '' }]]), types: '' };

/** Files that are written from the source and checked in. */
export const generated = {
  folder,
  schema: { schema: 'checkout', directories: [outboxMigrations, resolve(folder, 'migrations')] },
  files: {
    'web/src/gateways/forms.ts': writeFormTables(),
    'routes.json': listRoutes([...routes(inert()), ...openWeb(inert()).routes, ...widgetRoutes(widget)]),
  },
  readme: { configuration: describeConfig(config) },
} satisfies Generated;
