import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';

/** A run that cannot begin, for a reason that its caller can change. */
export class Refusal extends Error {}

/** Reads the options of a command line; throws a `Refusal` at one that is not known or lacks its value. */
export function readOptions<Options extends ParseArgsOptionsConfig>(
  args: readonly string[],
  options: Options,
) {
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    throw new Refusal(error instanceof Error ? error.message : String(error));
  }
}
