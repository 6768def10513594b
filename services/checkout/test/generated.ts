import { resolve } from 'node:path';
import { describeConfig } from '@gp/config';
import { outboxMigrations } from '@gp/outbox';
import type { Generated } from '@gp/testing';
import { config } from '../src/config.ts';
import { writeFormTables } from './gateway-forms.ts';

const folder = resolve(import.meta.dirname, '..');

/** What is checked in and written from the source. */
export const generated = {
  folder,
  schema: { schema: 'checkout', directories: [outboxMigrations, resolve(folder, 'migrations')] },
  files: { 'web/src/gateways/forms.ts': writeFormTables() },
  readme: { configuration: describeConfig(config) },
} satisfies Generated;
