import { resolve } from 'node:path';
import { describeConfig } from '@gp/config';
import type { Generated } from '@gp/testing';
import { config } from '../src/config.ts';

/** The part of the README that is written from the source. */
export const generated: Generated = {
  folder: resolve(import.meta.dirname, '..'),
  readme: { configuration: describeConfig(config) },
};
