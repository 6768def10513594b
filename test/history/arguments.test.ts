import { describe, expect, it } from '@jest/globals';
import { parseArguments } from './arguments.ts';
import { Refusal } from '../support/command-line.ts';

describe('the command line of a history', () => {
  it('a history without options takes 20 minutes and keeps nothing', () => {
    expect(parseArguments([])).toEqual({ minutes: 20, seed: 1 });
  });

  it('a history takes minutes, a seed and a folder', () => {
    const args = ['--minutes', '0.5', '--seed', '7', '--dir', 'there'];
    expect(parseArguments(args)).toEqual({ minutes: 0.5, seed: 7, dir: 'there' });
  });

  it.each([
    ['--minutes', '0'],
    ['--minutes', '601'],
    ['--minutes', 'many'],
    ['--seed', '1.5'],
    ['--dir', ''],
    ['--dir'],
    ['--folder', 'there'],
    ['there'],
  ])('a history refuses %s %s in one line', (...args) => {
    const parse = () => parseArguments(args);
    expect(parse).toThrow(Refusal);
    expect(parse).toThrow(/^[^\n]+$/);
  });
});
