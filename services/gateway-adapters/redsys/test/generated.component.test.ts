import { expect, it } from '@jest/globals';
import { staleFiles } from '@gp/testing';
import { generated } from './generated.ts';

it('the README says what the source says; otherwise run `node test/generate.ts`', async () => {
  expect(await staleFiles(generated)).toEqual([]);
});
