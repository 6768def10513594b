import type { Given, OptionName } from './options.ts';

/** The options of one way to give a command; all of them are needed. */
export type Way = readonly OptionName[];

/** Returns the fault of options that are not exactly one of the ways of a command, or undefined. */
export function findFaultOfWays(ways: readonly Way[], given: Given): string | undefined {
  const names = [...new Set(ways.flat())].filter((name) => given[name]);
  const open = ways.filter((way) => names.every((name) => way.includes(name)));
  if (open.length === 0) return `${findClash(ways, names).join(' and ')} do not go together`;
  const missing = open.map((way) => way.filter((name) => !given[name]).map(toFlag));
  if (missing.some((flags) => flags.length === 0)) return undefined;
  return `${missing.map((flags) => flags.join(', ')).join(' or ')} missing`;
}

/** Returns the first two options that no way has together, or all when each two have one. */
function findClash(ways: readonly Way[], names: readonly OptionName[]): string[] {
  const pairs = names.flatMap((one) => names.map((other) => [one, other] as const));
  const clash = pairs.find(([one, other]) => !ways.some((way) => way.includes(one) && way.includes(other)));
  return (clash ?? names).map(toFlag);
}

const toFlag = (name: OptionName): string => `--${name}`;
