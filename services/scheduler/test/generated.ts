import { resolve } from 'node:path';
import { outboxMigrations } from '@gp/outbox';
import type { Generated } from '@gp/testing';

const folder = resolve(import.meta.dirname, '..');

/** Files that are written from the source and checked in. */
export const generated: Generated = {
  folder,
  schema: { schema: 'scheduler', directories: [outboxMigrations, resolve(folder, 'migrations')] },
};
