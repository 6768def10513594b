import { resolve } from 'node:path';
import { describeConfig } from '@gp/config';
import { outboxMigrations } from '@gp/outbox';
import type { Generated } from '@gp/testing';
import { format } from 'prettier';
import { config } from '../src/config.ts';
import { signatureVectors } from './support/signature-vectors.ts';

const folder = resolve(import.meta.dirname, '..');

/** Files that are written from the source and checked in. */
export const generated: Generated = {
  folder,
  schema: { schema: 'webhooks', directories: [outboxMigrations, resolve(folder, 'migrations')] },
  readme: { configuration: describeConfig(config) },
  // Signed by the dispatcher, verified by the clients in other languages.
  files: {
    '../../libs/clients/vectors.json': await format(JSON.stringify(signatureVectors), {
      parser: 'json',
      printWidth: 110,
    }),
  },
};
