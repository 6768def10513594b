import { catalogue, isErrorCode, type ErrorCode } from './catalogue.ts';

/** One fault of a request, and the slot that it is about where it is about one. */
export type ErrorDetail = { readonly param: string; readonly reason: string; readonly slot_id?: string };

/**
 * The data of an error beside its code. `message` is public text that replaces the catalogue's; `param` names the
 * field at fault; `details` is a public list; `hint` is public text about a likely cause; `allow` lists methods for a
 * 405. Other keys stay inside.
 */
export type ErrorData = {
  message?: string;
  param?: string;
  details?: readonly ErrorDetail[];
  hint?: string;
  retryAfterSeconds?: number;
  allow?: readonly string[];
  [key: string]: unknown;
};

/** The one exception of the platform: a code of the catalogue, public data, and a cause for the log. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly data: ErrorData;

  constructor(code: ErrorCode, data: ErrorData = {}, options: { cause?: unknown } = {}) {
    super(data.message ?? catalogue[code].text, options);
    this.name = 'AppError';
    this.code = code;
    this.data = data;
  }
}

/** Builds the documented `Validation error: <field>: <reason>`; `details` defaults to that one fault. */
export function validationError(param: string, reason: string, details?: readonly ErrorDetail[]): AppError {
  return new AppError('validation_error', {
    message: `Validation error: ${param}: ${reason}`,
    param,
    details: details ?? [{ param, reason }],
  });
}

/** Builds `<noun> not found`, the only error for "absent", "another merchant's" and "the other mode's". */
export function notFound(noun: string): AppError {
  return new AppError('not_found', { message: `${noun} not found` });
}

/** The form of an error on the bus. */
export type WireError = { code: ErrorCode; data: ErrorData };

/** Returns a serialisable error without internals: any value that is no AppError becomes `internal_error`. */
export function toWire(error: unknown): WireError {
  if (!(error instanceof AppError)) return { code: 'internal_error', data: {} };
  return { code: error.code, data: publicData(error) };
}

/** Rebuilds the callee's error; a code this version does not know becomes `internal_error`. */
export function fromWire(wire: WireError): AppError {
  const { code, data } = wire as { code: unknown; data: unknown };
  if (!isErrorCode(code)) return new AppError('internal_error', {}, { cause: wire });
  return new AppError(code, isRecord(data) ? data : {});
}

/** Returns the data that others may see: all of it, but of an opaque error only when to retry. */
export function publicData({ code, data }: AppError): ErrorData {
  if (!catalogue[code].opaque) return data;
  return data.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: data.retryAfterSeconds };
}

function isRecord(value: unknown): value is ErrorData {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
