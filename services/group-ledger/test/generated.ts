import { resolve } from 'node:path';
import { describeConfig } from '@gp/config';
import { outboxMigrations } from '@gp/outbox';
import { mermaid, type Generated } from '@gp/testing';
import { config } from '../src/config.ts';
import { createGroupsStatement } from '../src/db/group/create-groups.ts';
import { saveStatement } from '../src/db/group/save-decision.ts';
import { authorizationMachine, groupMachine, intentMachine, slotMachine } from '../src/domain/index.ts';

const folder = resolve(import.meta.dirname, '..');

/** Files that are written from the source and checked in. */
export const generated: Generated = {
  folder,
  schema: { schema: 'group_ledger', directories: [outboxMigrations, resolve(folder, 'migrations')] },
  readme: {
    'group states': mermaid(groupMachine.diagram()),
    'slot states': mermaid(slotMachine.diagram()),
    'intent states': mermaid(intentMachine.diagram()),
    'attempt states': mermaid(authorizationMachine.diagram()),
    configuration: describeConfig(config),
  },
  // Benchmarks and psql run the very text the service runs.
  files: {
    'statements/create-groups.sql': `${createGroupsStatement.text}\n`,
    'statements/save-decision.sql': `${saveStatement.text}\n`,
  },
};
