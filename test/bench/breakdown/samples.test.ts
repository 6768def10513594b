import { describe, expect, it } from '@jest/globals';
import { countSamples, GARBAGE, NATIVE, type Frame, type Profile } from './samples.ts';

const native = (functionName: string): Frame => ({ functionName, url: '', lineNumber: -1 });
const script = (url: string): Frame => ({ functionName: 'run', url, lineNumber: 3 });

const nodes: Profile['nodes'] = [
  { id: 1, callFrame: native('(root)'), children: [2, 5, 6, 7, 8] },
  { id: 2, callFrame: script('ours'), children: [3] },
  { id: 3, callFrame: script('theirs'), children: [4] },
  { id: 4, callFrame: native('parse'), children: [9] },
  { id: 5, callFrame: native('(idle)') },
  { id: 6, callFrame: native('(garbage collector)') },
  { id: 7, callFrame: native('(program)') },
  { id: 8, callFrame: native('writev') },
  { id: 9, callFrame: native('toString') },
];
const count = (samples: readonly number[]) =>
  Object.fromEntries(countSamples({ nodes, samples }, ({ url }) => url));

describe('samples of a profile by layer', () => {
  it('a sample counts for the function that ran, not for its callers', () => {
    expect(count([2, 3, 3])).toEqual({ ours: 1, theirs: 2 });
  });

  it('a native function counts for the nearest function with a file that called it', () => {
    expect(count([4, 9])).toEqual({ theirs: 2 });
  });

  it('a native function that nothing called counts for Node and V8, and the collector for itself', () => {
    expect(count([6, 7, 8])).toEqual({ [GARBAGE]: 1, [NATIVE]: 2 });
  });

  it('samples of an idle process do not count', () => {
    expect(count([5, 5, 2])).toEqual({ ours: 1 });
  });
});
