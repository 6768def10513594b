import { describe, expect, it } from '@jest/globals';
import { pathToFileURL } from 'node:url';
import { root } from '../../support/stack.ts';
import { breakDown, renderBreakdown } from './breakdown.ts';
import type { Profile } from './samples.ts';

const source = (path: string) => ({
  functionName: 'run',
  url: pathToFileURL(`${root}/${path}`).href,
  lineNumber: 0,
});
const profile = (samples: readonly number[]): Profile => ({
  nodes: [
    { id: 1, callFrame: source('libs/bus/src/publish.ts') },
    { id: 2, callFrame: source('services/group-ledger/src/domain/group.ts') },
    { id: 3, callFrame: { functionName: '(idle)', url: '', lineNumber: -1 } },
  ],
  samples,
});

describe('the breakdown of CPU', () => {
  it('the CPU that the system counted is split as the samples of the process are', () => {
    const used = new Map([
      ['ledger', 1_000],
      ['postgres', 500],
    ]);
    expect(breakDown(used, new Map([['ledger', profile([1, 1, 1, 2, 3, 3])]]))).toEqual({
      ledger: { us: 1_000, layers: { 'our bus library': 750, 'our domain': 250 } },
      postgres: { us: 500, layers: {} },
    });
  });
});

describe('the table of a breakdown', () => {
  const table = renderBreakdown({
    small: { us: 3, layers: { a: 3 } },
    ledger: { us: 597, layers: { b: 595, tiny: 2 } },
    postgres: { us: 400, layers: {} },
  });
  const rows = table.split('\n').map((line) => line.split('|').map((cell) => cell.trim()));

  it('the largest process and the largest layer come first, and the first row has the whole', () => {
    expect(rows[0]).toEqual(['', 'layer', 'all', 'ledger', 'postgres', 'others', '']);
    expect(rows[2]).toEqual(['', 'all', '1,000', '597', '400', '3', '']);
    expect(rows[3]).toEqual(['', 'b', '595', '595', '', '', '']);
  });

  it('processes and layers below one per cent are summed as others, so that the columns still add up', () => {
    expect(rows[4]).toEqual(['', 'others', '5', '2', '', '3', '']);
    expect(rows).toHaveLength(5);
  });
});
