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

/** A failure with a sentence for the user. */
export class CommandFailure extends Error {
  readonly exitCode: ExitCode;
  constructor(message: string, exitCode: ExitCode = EXIT.failed) {
    super(message);
    this.name = 'CommandFailure';
    this.exitCode = exitCode;
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
      body: { code: 'no_answer', message },
    };
  const exitCode = error instanceof CommandFailure ? error.exitCode : EXIT.failed;
  return { exitCode, lines: [message], body: { code: 'failed', message } };
}

function describeRefusal(error: GroupPaymentsError): Described {
  const { status, code, message, hint, docUrl, requestId, param } = error;
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
      ...(requestId !== undefined && { request_id: requestId }),
    },
  };
}
