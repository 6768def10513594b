import { expect, it } from '@jest/globals';
import { staleFiles } from '@gp/testing';
import { generated } from './generated.ts';

it('the settings in the README are those of config.ts; otherwise run `npm run generate`', async () => {
  expect(await staleFiles(generated)).toEqual([]);
});
