import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from '@jest/globals';
import { root } from '../support/stack.ts';
import { findTools, generators, runGenerator } from './generators.ts';

const PATIENCE_MS = 300_000;
const folder = mkdtempSync(join(tmpdir(), 'generators-'));
const published = readFileSync(join(root, 'libs/reference/openapi.json'), 'utf8');

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Resolves with what became of a client of this document; rejects when it does not compile. */
async function makeClient(name: string, text: string, place = name.replaceAll(' ', '-')) {
  const generator = generators.find((known) => known.name === name);
  const tools = generator && findTools(generator);
  if (!generator || !tools) return 'not run';
  const own = join(folder, place);
  mkdirSync(own);
  const document = join(folder, `${place}.json`);
  writeFileSync(document, text);
  return runGenerator(generator, { tools, document, folder: own });
}

it.each(generators)(
  'a client that $name makes of openapi.json compiles',
  async ({ name }) => {
    expect(['compiled', 'not run']).toContain(await makeClient(name, published));
  },
  PATIENCE_MS,
);

it(
  'a schema with a name that oapi-codegen gives to an operation is seen: the client does not compile',
  async () => {
    const spoilt = published.replaceAll('WebhookEndpointList', 'ListWebhooksResponse');
    expect(spoilt).not.toBe(published);
    const outcome = await makeClient('oapi-codegen', spoilt, 'spoilt').catch(String);
    expect(outcome).toMatch(/ListWebhooksResponse redeclared|^not run$/);
  },
  PATIENCE_MS,
);
