import { GroupPaymentsError, NoAnswerError } from '@group-payments/client';

/** What the program ends with; scripts may rely on it. */
export const EXIT = {
  done: 0,
  /** The API refused, or what was asked for did not happen. */
  failed: 1,
  /** The command line is wrong. */
  usage: 2,
  /** There is no key, or it is not good for this. */
  credentials: 3,
  /** The API gave no answer. */
  noAnswer: 4,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** `code` of a failure that no error of the API is the cause of, for `--json`. */
const CODES: Readonly<Record<ExitCode, string>> = {
  [EXIT.done]: 'failed',
  [EXIT.failed]: 'failed',
  [EXIT.usage]: 'wrong_usage',
  [EXIT.credentials]: 'no_credentials',
  [EXIT.noAnswer]: 'no_answer',
};

/** A failure with sentences for the user. */
export class CommandFailure extends Error {
  readonly exitCode: ExitCode;
  /** Further fields for `--json`, which may have a `code` of their own. */
  readonly fields: Readonly<Record<string, unknown>>;
  constructor(message: string, exitCode: ExitCode = EXIT.failed, fields: CommandFailure['fields'] = {}) {
    super(message);
    this.name = 'CommandFailure';
    this.exitCode = exitCode;
    this.fields = fields;
  }
}

export const wrongUsage = (message: string): CommandFailure => new CommandFailure(message, EXIT.usage);

export type Described = {
  readonly exitCode: ExitCode;
  readonly lines: readonly string[];
  /** For `--json`. */
  readonly body: object;
};

/** Says what went wrong, in words for the user and never with a stack trace. */
export function describeFailure(error: unknown): Described {
  if (error instanceof GroupPaymentsError) return describeRefusal(error);
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof NoAnswerError)
    return {
      exitCode: EXIT.noAnswer,
      lines: [message, 'Is the address right and the platform running? See `gp profiles`.'],
      body: describeBody(message, EXIT.noAnswer),
    };
  const { exitCode, fields } =
    error instanceof CommandFailure ? error : { exitCode: EXIT.failed, fields: {} };
  return { exitCode, lines: [message], body: describeBody(message, exitCode, fields) };
}

/** Builds the error that `--json` prints for a failure of this program, in the shape that the API's errors have. */
export const describeBody = (message: string, exitCode: ExitCode, fields: object = {}): object => ({
  code: CODES[exitCode],
  message,
  ...fields,
});

function describeRefusal(error: GroupPaymentsError): Described {
  const { status, code, message, hint, docUrl, requestId, param, details, retryAfter } = error;
  const isRefusedKey = status === 401 || status === 403;
  return {
    exitCode: isRefusedKey ? EXIT.credentials : EXIT.failed,
    lines: [
      code === 'unknown' ? `${message} (${status})` : `${message} (${status} ${code})`,
      ...(hint === undefined ? [] : [hint]),
      ...(status === 401 ? ['Log in with `gp login`, or set GROUP_PAYMENTS_KEY.'] : []),
      ...(docUrl === undefined ? [] : [docUrl]),
      ...(requestId === undefined ? [] : [`Request: ${requestId}`]),
    ],
    body: {
      status,
      code,
      message,
      ...(param !== undefined && { param }),
      ...(details.length > 0 && { details }),
      ...(hint !== undefined && { hint }),
      ...(docUrl !== undefined && { doc_url: docUrl }),
      ...(retryAfter !== undefined && { retry_after: retryAfter }),
      ...(requestId !== undefined && { request_id: requestId }),
    },
  };
}
