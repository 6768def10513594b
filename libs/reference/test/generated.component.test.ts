import { expect, it } from '@jest/globals';
import { staleFiles } from '@gp/testing';
import { generated } from './generated.ts';

it('openapi.json equals what the contracts generate; otherwise run `npm run generate`', async () => {
  expect(await staleFiles(generated)).toEqual([]);
});
