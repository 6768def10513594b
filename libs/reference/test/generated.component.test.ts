import { expect, it } from '@jest/globals';
import { staleFiles } from '@gp/testing';
import { generated } from './generated.ts';

it('openapi.json says what the contracts say; otherwise run `npm run generate`', async () => {
  expect(await staleFiles(generated)).toEqual([]);
});
