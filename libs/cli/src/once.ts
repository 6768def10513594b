import { NoAnswerError, type CallOptions } from '@group-payments/client';
import type { OptionSpec } from './commands/command.ts';
import { CommandFailure, EXIT } from './failure.ts';

export const IDEMPOTENCY_KEY: OptionSpec = [
  '--idempotency-key <key>',
  'the key of a command that got no answer, to repeat it: it is done once at most',
];

/**
 * Makes a request that must not happen twice, under this key or a new one. Where no answer comes, the failure names the
 * options that repeat the command: the key, and those in `fixed`, without which its body would be another one.
 */
export async function doOnce<T>(
  key: string | undefined,
  request: (call: CallOptions) => Promise<T>,
  fixed: Readonly<Record<string, string>> = {},
): Promise<T> {
  const idempotencyKey = key ?? crypto.randomUUID();
  try {
    return await request({ idempotencyKey });
  } catch (error) {
    if (!(error instanceof NoAnswerError)) throw error;
    const named = Object.entries({ 'idempotency-key': idempotencyKey, ...fixed });
    const options = named.map(([name, value]) => `--${name} ${value}`).join(' ');
    throw new CommandFailure(
      `${error.message}\nWhether it was done is not known. Repeat the command with ${options}: it is done once at most.`,
      EXIT.noAnswer,
      {
        message: error.message,
        ...Object.fromEntries(named.map(([name, value]) => [name.replaceAll('-', '_'), value])),
      },
    );
  }
}
