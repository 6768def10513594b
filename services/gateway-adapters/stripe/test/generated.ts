import { resolve } from 'node:path';
import { describeConfig } from '@gp/config';
import type { Generated } from '@gp/testing';
import { config } from '../src/config.ts';

/** What is checked in and written from the source; the schema is shown in libs/gateway, for all adapters. */
export const generated: Generated = {
  folder: resolve(import.meta.dirname, '..'),
  readme: { configuration: describeConfig(config) },
};
