import { expect, it } from '@jest/globals';
import { staleFiles } from '@gp/testing';
import { generated } from './generated.ts';

it('schema.sql and the README equal what the source generates; otherwise run `npm run generate`', async () => {
  expect(await staleFiles(generated)).toEqual([]);
});
