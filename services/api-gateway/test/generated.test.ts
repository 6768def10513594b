import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { describeConfig } from '@gp/config';
import { publicApi } from '@gp/contracts';
import { dumpSchema } from '@gp/pg';
import { testDatabase } from '@gp/testing';
import { config } from '../src/config.ts';
import { routes, type RouteParts } from '../src/http/routes.ts';
import { schemas } from './support/edge.ts';

const read = (file: string) => readFile(new URL(`../${file}`, import.meta.url), 'utf8');
/** Tables are aligned by the formatter; what they say counts. */
const squeezed = (text: string) => text.replaceAll(/ +/g, ' ').replaceAll(/-{3,}/g, '---');

describe('what is written down', () => {
  it('schema.sql is what the migrations make', async () => {
    const database = await testDatabase({ schemas });
    const dump = await dumpSchema(database.adminUrl, 'api_gateway');
    await database.drop();
    expect(dump).toBe(await read('schema.sql'));
  });

  it('the README knows every setting', async () => {
    expect(squeezed(await read('README.md'))).toContain(squeezed(describeConfig(config)).trim());
  });

  it('the routes are the operations of the contract, each behind a credential', () => {
    const served = routes({ authenticate: () => Promise.reject(new Error()) } as unknown as RouteParts);
    const published = Object.values(publicApi.operations);
    expect(served.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(
      published.map(({ method, path }) => `${method} ${path.replace('{id}', ':id')}`).sort(),
    );
    expect(served.every((route) => route.admit !== undefined)).toBe(true);
    expect(published.every((operation) => operation.accepts.length > 0)).toBe(true);
  });
});
