import { describe, expect, it } from '@jest/globals';
import { parseArguments } from './arguments.ts';

describe('arguments of npm run cluster', () => {
  it('a cluster is made when nothing is asked', () => {
    expect(parseArguments([])).toEqual({ word: 'up' });
  });

  it('the word down ends the cluster', () => {
    expect(parseArguments(['down'])).toEqual({ word: 'down' });
  });

  it('a command is passed on as it is', () => {
    expect(parseArguments(['exec', 'kubectl', 'get', '-A'])).toEqual({
      word: 'exec',
      command: ['kubectl', 'get', '-A'],
    });
  });

  it('drills are named', () => {
    expect(parseArguments(['drill', 'upgrade', 'drain'])).toEqual({
      word: 'drill',
      names: ['upgrade', 'drain'],
    });
  });

  it.each([['exec'], ['drill'], ['up', 'more']])('the word %s is refused', (...words) => {
    expect(parseArguments(words)).toBeUndefined();
  });
});
