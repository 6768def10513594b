import { readOptions, Refusal } from '../support/command-line.ts';

/** What a run is to measure: measures and goals by name, all without any, and how much of each. */
export type Arguments = {
  readonly only: readonly string[] | undefined;
  readonly rounds: number;
  readonly seconds: number;
  readonly groups: number;
};

const options = {
  only: { type: 'string' },
  rounds: { type: 'string', default: '3' },
  seconds: { type: 'string', default: '3' },
  groups: { type: 'string', default: '100000' },
} as const;

/** Reads the command line; throws a `Refusal` with a line for people. */
export function parseArguments(args: readonly string[]): Arguments {
  const { only, rounds, seconds, groups } = readOptions(args, options);
  return {
    only: only?.split(','),
    rounds: parseCount('--rounds', rounds),
    seconds: parseCount('--seconds', seconds),
    groups: parseCount('--groups', groups),
  };
}

function parseCount(option: string, given: string): number {
  if (/^[1-9]\d{0,8}$/.test(given)) return Number(given);
  throw new Refusal(`${option} takes a whole number from 1 on, not ${given}`);
}
