import { expect, it } from '@jest/globals';
import { staleFiles } from '@gp/testing';
import { generated } from './generated.ts';

it('schema.sql and the table of settings equal what the migrations and config.ts make; otherwise run `npm run generate`', async () => {
  expect(await staleFiles(generated)).toEqual([]);
});
