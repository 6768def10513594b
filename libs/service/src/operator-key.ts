import { readFileSync, statSync } from 'node:fs';
import { isOperatorSeed, openOperatorSigner, type OperatorSigner } from '@gp/bus';
import { ConfigError, optional, secret, text, type ConfigOf } from '@gp/config';

/** The settings of a command line with which a person proves who gives a command. */
export const operatorKeyConfig = {
  operatorKey: optional(
    secret({ describe: 'Private half of the operator’s key', pattern: /SO[A-Z2-7]{56}/ }),
  ),
  operatorKeyFile: optional(
    text({ describe: 'File with the private half of the operator’s key; nobody else may read it' }),
  ),
};

/** The word in place of a file that stands for standard input. */
export const STANDARD_INPUT = '-';

/** The permissions of a file that let others than its owner read or change it. */
const OTHERS = 0o077;

/** Where the private half of a key is: what an option names counts before the settings, and these before `fallback`. */
export type KeySource = ConfigOf<typeof operatorKeyConfig> & {
  /** The file that an option of the command line names. */
  readonly file?: string | undefined;
  /** The text of standard input, where `file` names it. */
  readonly input?: string | undefined;
  /** The private half itself, of the stack that runs on this machine. */
  readonly fallback?: string | undefined;
};

/** Opens the operator's key; throws a ConfigError when there is none, and when it can be read by others or is none. */
export function readOperatorSigner(source: KeySource): OperatorSigner {
  const seed = findSeed(source);
  if (seed === undefined)
    throw new ConfigError([
      'OPERATOR_KEY or OPERATOR_KEY_FILE is required: commands are signed with your key',
    ]);
  if (!isOperatorSeed(seed)) throw new ConfigError(['the private half of the operator’s key is mistyped']);
  return openOperatorSigner(seed);
}

function findSeed({ file, input, operatorKey, operatorKeyFile, fallback }: KeySource): string | undefined {
  if (file === STANDARD_INPUT) return (input ?? '').trim();
  if (file !== undefined) return readPrivateFile(file);
  if (operatorKey !== undefined) return operatorKey;
  return operatorKeyFile === undefined ? fallback : readPrivateFile(operatorKeyFile);
}

function readPrivateFile(file: string): string {
  try {
    if ((statSync(file).mode & OTHERS) === 0) return readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new ConfigError([`${file} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`]);
  }
  throw new ConfigError([`${file} may be read by others than you: chmod 600 ${file}`]);
}
