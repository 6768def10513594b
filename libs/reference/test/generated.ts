import { resolve } from 'node:path';
import type { Generated } from '@gp/testing';
import { format } from 'prettier';
import { buildCollection } from '../src/collection/collection.ts';
import { openApiDocument } from '../src/openapi/document.ts';
import { guides } from '../src/openapi/guides.ts';

const document = openApiDocument(await guides());
const write = (value: unknown): Promise<string> =>
  format(JSON.stringify(value), { parser: 'json', printWidth: 110 });

/** The committed files that are generated from the contracts. */
export const generated: Generated = {
  folder: resolve(import.meta.dirname, '..'),
  files: {
    'openapi.json': await write(document),
    'postman_collection.json': await write(buildCollection(document)),
  },
};
