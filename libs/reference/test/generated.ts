import { resolve } from 'node:path';
import type { Generated } from '@gp/testing';
import { format } from 'prettier';
import { openApiDocument } from '../src/openapi/document.ts';
import { guides } from '../src/openapi/guides.ts';

const document = JSON.stringify(openApiDocument(await guides()));

/** The committed files that are generated from the contracts. */
export const generated: Generated = {
  folder: resolve(import.meta.dirname, '..'),
  files: { 'openapi.json': await format(document, { parser: 'json', printWidth: 110 }) },
};
