import { expect, it } from '@jest/globals';
import { staleFiles } from '@gp/testing';
import { generated } from './generated.ts';

it('openapi.json and the collection equal what the contracts generate; otherwise run `npm run generate`', async () => {
  expect(await staleFiles(generated)).toEqual([]);
});
