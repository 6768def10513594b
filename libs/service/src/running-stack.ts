import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from '@gp/config';
import { UsageError } from './operator-line.ts';

/** The setting of a command line that may act on the stack that runs on this machine. */
export const runningStackConfig = {
  gpDataDir: text({
    describe:
      'Where a running stack keeps its stack.json, which names its NATS server and has its operator’s key',
    default: '.data',
  }),
};

/** What a running stack says of itself for its operators; one of an older release says less. */
export type RunningStack = {
  readonly nats: string;
  readonly nats_seeds?: { readonly operator?: string };
  readonly operator_key?: string;
  /** The settings of the commands on merchants, by their variables. */
  readonly merchants_settings?: Readonly<Record<string, string>>;
};

/**
 * Reads the description of the stack that runs on this machine, for a command line to which `unset` were not given. Throws a
 * UsageError, which quotes nothing of the file, when no stack runs or the file is damaged.
 */
export async function readRunningStack(dataDir: string, unset: readonly string[]): Promise<RunningStack> {
  const file = join(dataDir, 'stack.json');
  const written = await readFile(file, 'utf8').catch(() => {
    const names = `${unset.join(', ')} ${unset.length === 1 ? 'is' : 'are'}`;
    throw new UsageError(`${names} not set, and ${file} is not there: is a stack running?`);
  });
  const stack = parseJson(written);
  if (!isRunningStack(stack)) throw new UsageError(`${file} is damaged: stop the stack and start it again`);
  return stack;
}

function parseJson(written: string): unknown {
  try {
    return JSON.parse(written) as unknown;
  } catch {
    return undefined;
  }
}

function isRunningStack(value: unknown): value is RunningStack {
  if (!isRecord(value) || typeof value['nats'] !== 'string') return false;
  const { operator_key: key, nats_seeds: seeds, merchants_settings: settings } = value;
  return isMissingOr(key, isText) && isMissingOr(seeds, isTexts) && isMissingOr(settings, isTexts);
}

const isMissingOr = (value: unknown, is: (value: unknown) => boolean): boolean =>
  value === undefined || is(value);
const isText = (value: unknown): boolean => typeof value === 'string';
const isTexts = (value: unknown): boolean => isRecord(value) && Object.values(value).every(isText);

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
