import { resolve } from 'node:path';
import { describeConfig } from '@gp/config';
import type { Generated } from '@gp/testing';
import { configurations } from '../src/config.ts';

/** The settings of each program, in the README. */
export const generated: Generated = {
  folder: resolve(import.meta.dirname, '..'),
  readme: {
    migrate: describeConfig(configurations.migrate),
    'make-secrets': describeConfig(configurations['make-secrets']),
    'make-secret-files': describeConfig(configurations['make-secret-files']),
    streams: describeConfig(configurations.streams),
    'smoke-test': describeConfig(configurations['smoke-test']),
    'demo-group': describeConfig(configurations['demo-group']),
  },
};
