import { resolve } from 'node:path';
import { describeConfig } from '@gp/config';
import { outboxMigrations } from '@gp/outbox';
import type { Generated } from '@gp/testing';
import { config } from '../src/config.ts';

const folder = resolve(import.meta.dirname, '..');

/** Files that are written from the source and checked in. */
export const generated: Generated = {
  folder,
  schema: { schema: 'scheduler', directories: [outboxMigrations, resolve(folder, 'migrations')] },
  readme: { configuration: describeConfig(config) },
};
