import { expect, it } from '@jest/globals';
import { staleFiles } from '@gp/testing';
import { generated } from './generated.ts';

it('the README equals what the source generates; otherwise run `node test/generate.ts`', async () => {
  expect(await staleFiles(generated)).toEqual([]);
});
