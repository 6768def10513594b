import { resolve } from 'node:path';
import { describeConfig } from '@gp/config';
import { outboxMigrations } from '@gp/outbox';
import type { Generated } from '@gp/testing';
import { config } from '../src/config.ts';
import { writeGatewayList } from './gateway-list.ts';

const folder = resolve(import.meta.dirname, '..');

/** What is checked in and written from the source. */
export const generated = {
  folder,
  files: { 'web/src/gateways.ts': await writeGatewayList() },
  schema: { schema: 'merchant', directories: [outboxMigrations, resolve(folder, 'migrations')] },
  readme: { configuration: describeConfig(config) },
} satisfies Generated;
