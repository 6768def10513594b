import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openApi as readDocument } from '@gp/reference';
import { findTool } from '@gp/testing';
import { apiContract } from '../support/api-contract.ts';
import { openEndpoint, type Endpoint } from '../support/endpoint.ts';
import { listGuideBlocks, type GuideBlock } from '../support/guide-blocks.ts';
import { newGroup, openApi } from '../support/journey.ts';
import { openSharedStack, type SharedStack } from '../support/shared-stack.ts';
import type { Merchant } from '../support/stack.ts';
import { prepareFacts, writeFacts } from './sample-facts.ts';
import { sampleLanguages } from './sample-languages.ts';
import { openSampleProxy, type SampleProxy } from './sample-proxy.ts';

type Operation = {
  readonly operationId: string;
  readonly parameters?: readonly {
    readonly schema?: { readonly default?: unknown };
    readonly $ref?: string;
    readonly name?: string;
    readonly example?: string;
  }[];
  readonly requestBody?: {
    readonly content: Record<string, { examples: Record<string, { value: unknown }> }>;
  };
  readonly responses: Readonly<Record<string, unknown>>;
  readonly 'x-codeSamples': readonly { readonly label: string; readonly source: string }[];
};
type Listed = { readonly method: string; readonly path: string; readonly operation: Operation };

function listOperations(document: unknown): Listed[] {
  const { paths } = document as { paths: Record<string, Record<string, Operation>> };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
}

const findExample = ({ requestBody }: Operation): unknown =>
  Object.values(requestBody?.content['application/json']?.examples ?? {})[0]?.value;

const published = listOperations(await readDocument());
const languages = Object.keys(sampleLanguages);
const possible = Object.entries(sampleLanguages).flatMap(([language, { label, tools }]) => {
  const found = tools.map((name) => findTool(name, `the samples in ${language}`));
  return found.includes(undefined) ? [] : [{ language, label, tool: found[0] ?? '' }];
});

let folder: string;
let shared: SharedStack;
let endpoint: Endpoint;
let proxy: SampleProxy;
let served: readonly Listed[];
let blocks: readonly GuideBlock[];
/** The languages of blocks in guides that are whole programs; commands of a shell are those of a journey. */
const IN_GUIDES: Readonly<Record<string, string>> = { TypeScript: 'ts', Python: 'python', Go: 'go' };

const findMerchantOf = (language: string): Merchant => shared.stack.merchants[languages.indexOf(language)]!;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'samples-'));
  // A merchant for each: keys of repetition and the test clock are a merchant's.
  shared = await openSharedStack({ merchants: languages.map(() => 'gateway_b' as const) });
  endpoint = await openEndpoint();
  proxy = await openSampleProxy(shared.stack.api, async (language) => {
    const api = openApi(shared.stack, findMerchantOf(language));
    await api.client.cancelGroupPayment((await newGroup(api, 1)).group_payment.id);
  });
  const document = (await (await fetch(`${shared.stack.api}/openapi.json`)).json()) as {
    info: { description: string };
  };
  served = listOperations(document);
  blocks = listGuideBlocks(document.info.description);
}, 240_000);
afterAll(async () => {
  await proxy?.close();
  await endpoint?.close();
  await shared?.close();
  rmSync(folder, { recursive: true, force: true });
});

it('every operation has a sample in each language that this test runs', () => {
  const labels = [...new Set(Object.values(sampleLanguages).map(({ label }) => label))];
  for (const { operation } of published)
    expect(operation['x-codeSamples'].map(({ label }) => label)).toEqual(labels);
});

it.each(possible)(
  'every sample in $language, copied from the served document, makes the request it shows and succeeds; so do those in guides',
  async ({ language, label, tool }) => {
    const merchant = findMerchantOf(language);
    const facts = await prepareFacts(shared.stack, merchant, {
      endpoint,
      findExample: (id) =>
        findExample(served.find(({ operation }) => operation.operationId === id)!.operation),
    });
    const samples = served.map(({ operation }) => {
      const id = operation.operationId;
      const { source } = operation['x-codeSamples'].find((sample) => sample.label === label)!;
      const text = writeFacts(source, facts[id]);
      return { operation: id, source: text.replaceAll(shared.stack.api, proxy.buildAddress(language, id)) };
    });
    const inGuides = blocks
      .filter((block) => block.language === IN_GUIDES[label])
      .map(({ text }, index) => ({ operation: `guide${index}`, source: text }));
    expect(inGuides.length > 0).toBe(label in IN_GUIDES);
    mkdirSync(join(folder, language));
    const env = { ...process.env, GROUP_PAYMENTS_KEY: merchant.test_key };
    const failure = await sampleLanguages[language]!.run(
      tool,
      join(folder, language),
      [...samples, ...inGuides],
      env,
    ).catch((error: unknown) => error as { stderr?: string; message: string });
    const refused = served.flatMap(({ operation: { operationId } }) =>
      proxy
        .listExchanges(language, operationId)
        .filter(({ status }) => status >= 300)
        .map(({ status, body, request }) => ({ operationId, status, body, request })),
    );
    expect({
      refused,
      failure: failure && (failure.stderr ?? failure.message),
    }).toEqual({
      refused: [],
    });
    for (const listed of served)
      await judge(language, listed, (text) => writeFacts(text, facts[listed.operation.operationId]));
  },
  600_000,
);

/** Compares the one request of a sample with the example of its operation, and its answer with the contract. */
async function judge(language: string, { method, path, operation }: Listed, fill: (text: string) => string) {
  const id = operation.operationId;
  const [exchange, ...more] = proxy.listExchanges(language, id);
  const inPath = (operation.parameters ?? []).filter(({ name }) => path.includes(`{${name}}`));
  const filled = inPath.reduce((text, { name, example }) => text.replace(`{${name}}`, example ?? ''), path);
  const example = findExample(operation);
  const takesKey = operation.parameters?.some(({ $ref }) => $ref?.endsWith('/IdempotencyKey')) === true;
  const [place, query] = (exchange?.path ?? '').split('?');
  // The client for Python sends the defaults, which ask for the same.
  for (const [name, value] of new URLSearchParams(query))
    expect([name, value]).toEqual([name, String(findDefault(operation, name))]);
  expect({ id, exchange: { ...exchange, path: place }, more }).toMatchObject({
    exchange: {
      method,
      path: fill(filled),
      status: Number(Object.keys(operation.responses).find((status) => status.startsWith('2'))),
      idempotencyKey: takesKey ? expect.stringContaining('order-4711-') : undefined,
    },
    more: [],
  });
  expect({ id, request: toComparable(exchange?.request) }).toEqual({
    id,
    request: example === undefined ? undefined : toComparable(JSON.parse(fill(JSON.stringify(example)))),
  });
  (await apiContract()).assertExchange(exchange!);
}

const findDefault = ({ parameters = [] }: Operation, query: string): unknown =>
  parameters.find(({ name }) => name === query)?.schema?.default;

/** Clients write a moment in their own way: +00:00 instead of Z, or without milliseconds. */
function toComparable(value: unknown): unknown {
  if (value === undefined) return undefined;
  return JSON.parse(JSON.stringify(value), (_key, part: unknown) =>
    typeof part === 'string' && /^\d{4}-\d\d-\d\dT/.test(part) ? new Date(part).toISOString() : part,
  );
}
