import type { Generated } from '@gp/testing';
import { format } from 'prettier';
import { stringify } from 'yaml';
import { gatewayProcesses } from './gateways.ts';
import { chart } from './processes.ts';
import { serviceLists } from './service-lists.ts';
import { valuesSchema } from './values-schema.ts';

/** Files of the chart that are written from the services' own declarations. */
export async function generated(): Promise<Generated> {
  const schema = JSON.stringify(await valuesSchema());
  const style = { parser: 'json', printWidth: 110 };
  return {
    folder: chart,
    files: {
      'values.schema.json': await format(schema, style),
      'gateways.yaml': await format(HEADING + stringify(gatewayProcesses(), plain), yamlStyle),
      ...serviceLists(),
    },
  };
}

const plain = { aliasDuplicateObjects: false, lineWidth: 0 };
const yamlStyle = { parser: 'yaml', printWidth: 110, singleQuote: true };
const HEADING = '# Written from the manifests of the gateways by `npm run generate`.\n';
