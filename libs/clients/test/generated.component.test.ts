import { expect, it } from '@jest/globals';
import { staleFiles } from '@gp/testing';
import { generated } from './generated.ts';

it.each(generated)('the example in $folder/README.md is the program that tests run', async (client) => {
  expect(await staleFiles(client)).toEqual([]);
});
