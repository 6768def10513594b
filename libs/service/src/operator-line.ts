/** Thrown for a command line that cannot be parsed; its message is for the person who typed it. */
export class UsageError extends Error {}

/** The options that every command of operators takes, in the form of `parseArgs`. */
export const COMMON_OPTIONS = { json: { type: 'boolean' }, 'operator-key': { type: 'string' } } as const;

/** Those that may stand before a command, with the number of words each takes after it. */
const LEADING: Readonly<Record<string, number>> = { '--json': 0, '--operator-key': 1, '--help': 0, '-h': 0 };

/**
 * Splits a command line of operators into the options before its command and everything from the command on. Throws a
 * UsageError for an option there that only some commands take.
 */
export function splitLeadingOptions(argv: readonly string[]): {
  readonly leading: readonly string[];
  readonly rest: readonly string[];
} {
  let at = 0;
  for (let word = argv[0]; word?.startsWith('-'); word = argv[at]) {
    const [name = ''] = word.split('=', 1);
    const more = Object.hasOwn(LEADING, name) ? LEADING[name] : undefined;
    if (more === undefined)
      throw new UsageError(
        `${name} cannot stand before a command: only --json, --operator-key FILE and --help can`,
      );
    at += word.includes('=') ? 1 : 1 + more;
  }
  return { leading: argv.slice(0, at), rest: argv.slice(at) };
}
