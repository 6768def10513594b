import type { Generated } from '@gp/testing';
import { format } from 'prettier';
import { chart } from './processes.ts';
import { valuesSchema } from './values-schema.ts';

/** What of the chart is written from the services' own declarations. */
export async function generated(): Promise<Generated> {
  const schema = JSON.stringify(await valuesSchema());
  const style = { parser: 'json', printWidth: 110 };
  return { folder: chart, files: { 'values.schema.json': await format(schema, style) } };
}
