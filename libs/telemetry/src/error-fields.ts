import { AppError } from '@gp/errors';
import { mask } from './fields.ts';

export type ErrorFields = {
  readonly name: string;
  readonly code?: string;
  readonly message?: string;
  readonly constraint?: string;
  readonly at?: string;
  readonly stack?: readonly string[];
  readonly cause?: ErrorFields;
};

/** AppError → its cause → the driver's error is the deepest chain that adds information. */
const maxCauses = 3;

/**
 * Returns the fields of a failure that may be logged. A message is kept only where its author is known: a driver
 * or a parser quotes the value that it could not read ("invalid input syntax for type uuid: …", "Unexpected
 * token … in …"), and that value may be a payload. The place it was thrown is always kept; the whole stack on
 * request.
 */
export function describeError(error: unknown, options: { stack?: boolean } = {}, depth = 0): ErrorFields {
  if (!(error instanceof Error)) return { name: typeof error };
  const code = readErrorCode(error);
  const frames = parseFrames(error);
  const constraint =
    'constraint' in error && typeof error.constraint === 'string' ? error.constraint : undefined;
  return {
    name: mask(error.name),
    ...(code !== undefined && { code }),
    ...(isSafeToQuote(error) && { message: mask(error.message) }),
    ...(constraint !== undefined && { constraint: mask(constraint) }),
    ...(frames[0] !== undefined && { at: frames[0] }),
    ...(options.stack && { stack: frames }),
    ...(error.cause !== undefined &&
      depth < maxCauses && { cause: describeError(error.cause, options, depth + 1) }),
  };
}

/**
 * Returns one word for a kind of failure: the catalogue's code, the driver's or system's code, else the class.
 */
export function failureClass(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  return readErrorCode(error) ?? mask(error.name);
}

function readErrorCode(error: Error): string | undefined {
  const code = 'code' in error ? error.code : undefined;
  return typeof code === 'string' || typeof code === 'number' ? mask(String(code)) : undefined;
}

function isSafeToQuote(error: Error): boolean {
  if (error instanceof AppError) return true;
  // The engine's own errors name code, not data; Node's (they carry a code) quote the argument received.
  if (error instanceof TypeError || error instanceof ReferenceError)
    return readErrorCode(error) === undefined;
  // System call failures: "connect ECONNREFUSED 127.0.0.1:5432".
  return 'syscall' in error && 'errno' in error;
}

function parseFrames(error: Error): string[] {
  return (error.stack ?? '')
    .split('\n')
    .filter((line) => line.startsWith('    at '))
    .slice(0, 20)
    .map((line) => mask(line.slice(7)));
}
