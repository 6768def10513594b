import { resolve } from 'node:path';
import { describeConfig } from '@gp/config';
import { mermaid, type Generated } from '@gp/testing';
import { config } from '../src/config.ts';
import { paymentMachine } from '../src/domain/payment.machine.ts';

const folder = resolve(import.meta.dirname, '..');

/** Files that are written from the source and checked in. */
export const generated: Generated = {
  folder,
  schema: { schema: 'psp_sandbox', directories: [resolve(folder, 'migrations')] },
  readme: { states: mermaid(paymentMachine.diagram()), configuration: describeConfig(config) },
};
