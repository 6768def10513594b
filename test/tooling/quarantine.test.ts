import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { root } from '../support/stack.ts';

type Entry = {
  readonly file: string;
  readonly test: string;
  readonly reason: string;
  readonly owner: string;
};
type Item =
  | { readonly type: 'test'; readonly name: string; readonly mode?: string }
  | { readonly type: 'describeBlock'; readonly children: readonly Item[] };
const module_ = '../../.configs/jest.quarantine.mjs';
const { chooseTests, quarantine } = (await import(module_)) as {
  readonly quarantine: readonly Entry[];
  chooseTests(
    block: { children: readonly Item[] },
    titles: readonly string[],
    isQuarantineRun: boolean,
  ): void;
};

/** Faults of a list of tests in quarantine: every entry names a test that exists, a reason and an owner. */
function findFaults(entries: readonly Entry[]): string[] {
  return entries.flatMap(({ file, test, reason, owner }) => [
    ...(existsSync(join(root, file)) ? [] : [`${file} does not exist`]),
    ...(existsSync(join(root, file)) && !readTitles(file).includes(test)
      ? [`${file} has no test "${test}"`]
      : []),
    ...((reason ?? '').length < 20 ? [`${test}: no reason is given`] : []),
    ...(owner ? [] : [`${test}: nobody owns it`]),
  ]);
}

/** Source text on one line, its quotes as they read. */
const readTitles = (file: string): string =>
  readFileSync(join(root, file), 'utf8').replaceAll("\\'", "'").replaceAll(/\s+/g, ' ');

describe('the list of tests in quarantine', () => {
  it('the list of tests in quarantine names an existing test, a reason and an owner in every entry', () => {
    expect(findFaults(quarantine)).toEqual([]);
  });

  it('the list of tests in quarantine cannot have an entry without an existing test, a reason or an owner', () => {
    const file = 'test/tooling/quarantine.test.ts';
    const good = { file, test: 'leaves these out of a run', reason: 'Chromium loses a click.', owner: 'web' };
    expect(findFaults([good])).toEqual([]);
    expect(findFaults([{ ...good, file: 'test/gone.test.ts' }])).toHaveLength(1);
    expect(findFaults([{ ...good, test: ['no', 'such', 'test'].join(' ') }])).toHaveLength(1);
    expect(findFaults([{ ...good, reason: 'flaky' }])).toHaveLength(1);
    expect(findFaults([{ ...good, owner: '' }])).toHaveLength(1);
  });
});

describe('tests in quarantine', () => {
  const newBlock = () => ({
    children: [
      { type: 'test', name: 'is well' },
      {
        type: 'describeBlock',
        children: [
          { type: 'test', name: 'pays (twice) on gateway_a' },
          { type: 'test', name: 'pays (twice) on gateway_b' },
          { type: 'test', name: 'pays (twice)' },
        ],
      },
    ] as Item[],
  });
  const findSkipped = (block: { children: readonly Item[] }): string[] =>
    block.children.flatMap((item) =>
      item.type === 'describeBlock' ? findSkipped(item) : item.mode === 'skip' ? [item.name] : [],
    );

  it('an ordinary run leaves out the tests in quarantine', () => {
    const block = newBlock();
    chooseTests(block, ['pays (twice) on %s'], false);
    expect(findSkipped(block)).toEqual(['pays (twice) on gateway_a', 'pays (twice) on gateway_b']);
  });

  it('`npm run quarantine` runs the tests in quarantine only', () => {
    const block = newBlock();
    chooseTests(block, ['pays (twice) on $gateway'], true);
    expect(findSkipped(block)).toEqual(['is well', 'pays (twice)']);
  });
});
