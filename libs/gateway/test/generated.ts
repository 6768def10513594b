import { resolve } from 'node:path';
import { outboxMigrations } from '@gp/outbox';
import { mermaid, type Generated } from '@gp/testing';
import { gatewayCallMachine } from '../src/domain/gateway-call.machine.ts';
import { gatewayMigrations } from '../src/index.ts';

/** The committed files that are generated from the source. The schemas of adapters differ in name only. */
export const generated: Generated = {
  folder: resolve(import.meta.dirname, '..'),
  schema: { schema: 'gateway', directories: [outboxMigrations, gatewayMigrations] },
  readme: { states: mermaid(gatewayCallMachine.diagram()) },
};
