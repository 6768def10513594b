import { readFile } from 'node:fs/promises';
import { expect, it } from '@jest/globals';
import { dumpSchema } from '@gp/pg';
import { testDatabase } from '@gp/testing';
import { schemas } from './support/edge.ts';

it('schema.sql is what the migrations make', async () => {
  const database = await testDatabase({ schemas });
  const dump = await dumpSchema(database.adminUrl, 'api_gateway');
  await database.drop();
  expect(dump).toBe(await readFile(new URL('../schema.sql', import.meta.url), 'utf8'));
});
