import { expect, it } from '@jest/globals';
import { Refusal } from '../support/command-line.ts';
import { parseArguments } from './arguments.ts';

it('a benchmark without options measures everything', () => {
  expect(parseArguments([])).toEqual({ only: undefined, rounds: 3, seconds: 3, groups: 100_000 });
});

it('a benchmark takes the goals and the counts that it is given', () => {
  const given = ['--only', 'P3,hop', '--rounds', '2', '--seconds', '4', '--groups', '1000000'];
  expect(parseArguments(given)).toEqual({ only: ['P3', 'hop'], rounds: 2, seconds: 4, groups: 1_000_000 });
});

it.each([
  ['--rounds', 'many', '--rounds takes a whole number from 1 on, not many'],
  ['--seconds', '0', '--seconds takes a whole number from 1 on, not 0'],
  ['--groups', '1.5', '--groups takes a whole number from 1 on, not 1.5'],
  ['--round', '2', "Unknown option '--round'"],
  ['--groups', '-1', "Option '--groups' argument is ambiguous"],
])('a benchmark with %s %s is refused with a line that says why', (option, value, reason) => {
  const parse = () => parseArguments([option, value]);
  expect(parse).toThrow(Refusal);
  expect(parse).toThrow(reason);
});
