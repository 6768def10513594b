import { readFile } from 'node:fs/promises';
import { expect, it } from '@jest/globals';
import { generatedFiles } from './generated.ts';

it('the README says what the source says; otherwise run `node test/generate.ts`', async () => {
  for (const [file, text] of await generatedFiles()) expect(await readFile(file, 'utf8')).toBe(text);
});
