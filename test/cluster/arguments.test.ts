import { describe, expect, it } from '@jest/globals';
import { parseArguments } from './arguments.ts';

describe('arguments of npm run cluster', () => {
  it('makes a cluster when nothing is asked', () => {
    expect(parseArguments([])).toEqual({ word: 'up' });
  });

  it('ends the cluster by a word', () => {
    expect(parseArguments(['down'])).toEqual({ word: 'down' });
  });

  it('passes a command on as it is', () => {
    expect(parseArguments(['exec', 'kubectl', 'get', '-A'])).toEqual({
      word: 'exec',
      command: ['kubectl', 'get', '-A'],
    });
  });

  it.each([['exec'], ['drill'], ['up', 'more']])('refuses %s', (...words) => {
    expect(parseArguments(words)).toBeUndefined();
  });
});
