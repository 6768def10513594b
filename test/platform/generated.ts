import type { Generated } from '@gp/testing';
import { format } from 'prettier';
import { stringify } from 'yaml';
import { gatewayProcesses } from './gateways.ts';
import { chart, loadSettings, processes } from './processes.ts';
import { serviceLists } from './service-lists.ts';
import { valuesSchema } from './values-schema.ts';
import { writeValuesTable } from './values-table.ts';

/** Files of the chart that are written from the services' own declarations. */
export async function generated(): Promise<Generated> {
  const schema = JSON.stringify(await valuesSchema());
  const style = { parser: 'json', printWidth: 110 };
  return {
    folder: chart,
    files: {
      'values.schema.json': await format(schema, style),
      'gateways.yaml': await format(HEADING + stringify(gatewayProcesses(), plain), yamlStyle),
      'VALUES.md': await format(writeValuesTable(), { parser: 'markdown', printWidth: 110 }),
      'pools.yaml': await format(POOLS + stringify(await readPools(), plain), yamlStyle),
      ...serviceLists(),
    },
  };
}

/** The size of each process' pool as its settings declare it. */
async function readPools(): Promise<Record<string, unknown>> {
  const pools = Object.entries(processes).map(async ([name, { folder }]) => {
    const setting = (await loadSettings(folder)).get('DATABASE_CONNECTIONS');
    if (setting === undefined) throw new Error(`${name} has no setting DATABASE_CONNECTIONS`);
    return [name, setting.fallback] as const;
  });
  return Object.fromEntries(await Promise.all(pools));
}

const plain = { aliasDuplicateObjects: false, lineWidth: 0 };
const yamlStyle = { parser: 'yaml', printWidth: 110, singleQuote: true };
const POOLS =
  '# Connections to Postgres of each process, unless DATABASE_CONNECTIONS says otherwise. Written by `npm run generate`.\n';
const HEADING = '# Written from the manifests of the gateways by `npm run generate`.\n';
