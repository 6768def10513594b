import { expect, it } from '@jest/globals';
import { staleFiles } from '@gp/testing';
import { generated } from './generated.ts';

it('schema.sql equals what the migrations make; otherwise run `npm run generate`', async () => {
  expect(await staleFiles(generated)).toEqual([]);
});
