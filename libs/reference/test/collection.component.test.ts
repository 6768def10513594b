import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { expect, it } from '@jest/globals';
import { collectionText, openApi } from '../src/index.ts';

type Item = {
  readonly name: string;
  readonly item?: readonly Item[];
  readonly request?: {
    readonly method: string;
    readonly url: { readonly path: readonly string[] };
    readonly header: readonly { key: string; value: string }[];
  };
};
type Collection = {
  readonly info: { readonly schema: string };
  readonly variable: readonly { readonly key: string; readonly value: string }[];
  readonly item: readonly Item[];
};

const file = await readFile(resolve(import.meta.dirname, '../postman_collection.json'), 'utf8');
const collection = JSON.parse(file) as Collection;
const listRequests = ({ item = [], ...own }: Item): Item[] => [
  ...(own.request ? [own] : []),
  ...item.flatMap(listRequests),
];

it('the collection has a folder for each tag, and every operation of openapi.json in the folder of its tag (Q75)', async () => {
  const { paths } = (await openApi()) as { paths: Record<string, Record<string, { tags: [string] }>> };
  const wanted = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, { tags }]) => `${tags[0]}: ${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
    ),
  );
  const [walkthrough, ...folders] = collection.item;
  const found = folders.flatMap((folder) =>
    listRequests(folder).map(
      ({ request }) => `${folder.name}: ${request?.method} /${request?.url.path.join('/')}`,
    ),
  );
  expect([...new Set(found)].sort()).toEqual(wanted.sort());
  expect(walkthrough?.name).toBe('Walkthrough');
});

it('requests of a folder have different names, every variable of the collection is defined, and the key is empty (Q75)', () => {
  for (const folder of collection.item) {
    const names = listRequests(folder).map(({ name }) => name);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  }
  const known = new Set([...collection.variable.map(({ key }) => key), 'yesterday', 'tomorrow', '$guid']);
  const used = [...file.matchAll(/\{\{([^}]+)\}\}/g)].map(([, name = '']) => name);
  expect(used.filter((name) => !known.has(name))).toEqual([]);
  expect(collection.variable.find(({ key }) => key === 'api_key')).toEqual({ key: 'api_key', value: '' });
  expect(file).not.toMatch(/sk_(test|live)_[0-9A-Za-z]{8}|2030-|0198c0de/);
});

it('each request that takes an Idempotency-Key has a new one for every sending (Q75)', async () => {
  const { paths } = (await openApi()) as { paths: Record<string, Record<string, { parameters?: object[] }>> };
  const takes = Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .filter(({ parameters = [] }) => JSON.stringify(parameters).includes('IdempotencyKey')).length;
  const keys = collection.item
    .slice(1)
    .flatMap(listRequests)
    .flatMap(({ request }) =>
      (request?.header ?? [])
        .filter(({ key }) => key === 'Idempotency-Key')
        .map(({ value }) => `${request?.method} ${request?.url.path.join('/')} ${value}`),
    );
  expect(new Set(keys).size).toBe(takes);
  expect(keys.filter((key) => !key.endsWith(' {{$guid}}'))).toEqual([]);
});

it('the served collection sends requests to the installation that serves it, and the file in the repository to the same machine (Q75)', async () => {
  const findBase = (text: string) =>
    (JSON.parse(text) as Collection).variable.find(({ key }) => key === 'base_url')?.value;
  expect(findBase(await collectionText({ api: 'https://api.example' }))).toBe('https://api.example');
  expect(findBase(file)).toBe('http://127.0.0.1:8080');
});
