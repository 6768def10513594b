import { resolve } from 'node:path';
import { describeConfig } from '@gp/config';
import type { Generated } from '@gp/testing';
import { config } from '../src/config.ts';

/** The checked-in files that are generated from the source; libs/gateway shows the schema, for all adapters. */
export const generated: Generated = {
  folder: resolve(import.meta.dirname, '..'),
  readme: { configuration: describeConfig(config) },
};
