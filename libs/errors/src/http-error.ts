import { AppError, publicData, type ErrorData, type ErrorDetail } from './app-error.ts';
import { catalogue, type CatalogueEntry, type ErrorCode } from './catalogue.ts';

/** The version of the public interface, repeated in every error body. */
export const apiVersion = '1.0.0';

/** The body of every error response; the fields after `version` are additions to the documented three. */
export type ErrorBody = {
  error: string;
  message: string;
  version: string;
  code: ErrorCode;
  request_id: string;
  param?: string;
  details?: readonly ErrorDetail[];
  hint?: string;
  doc_url?: string;
};

export type HttpError = { status: number; headers: Record<string, string>; body: ErrorBody };

/**
 * Returns the HTTP form of any thrown value; a value that is no AppError becomes a 500 without details. With the
 * address of the reference, `docsUrl`, the body links to the place there that explains the code.
 */
export function toHttp(thrown: unknown, requestId: string, docsUrl?: string): HttpError {
  const error = thrown instanceof AppError ? thrown : new AppError('internal_error');
  const entry = catalogue[error.code];
  const data = publicData(error);
  const { param = entry.param, details, hint = entry.hint } = data;
  return {
    status: entry.status,
    headers: buildErrorHeaders(error.code, entry, data),
    body: {
      error: entry.error,
      message: data.message ?? entry.text,
      version: apiVersion,
      code: error.code,
      request_id: requestId,
      ...(param !== undefined && { param }),
      ...(details !== undefined && { details }),
      ...(hint !== undefined && { hint }),
      ...(docsUrl !== undefined && { doc_url: `${docsUrl}#${entry.anchor}` }),
    },
  };
}

function buildErrorHeaders(code: ErrorCode, entry: CatalogueEntry, data: ErrorData): Record<string, string> {
  const headers: Record<string, string> = {};
  const retryAfter = data.retryAfterSeconds ?? entry.retryAfterSeconds;
  if (retryAfter !== undefined) headers['Retry-After'] = String(Math.max(0, Math.ceil(retryAfter)));
  if (data.allow) headers['Allow'] = data.allow.join(', ');
  const challenge = challenges[code];
  if (challenge !== undefined) headers['WWW-Authenticate'] = challenge;
  return headers;
}

/** RFC 6750: a request without credentials gets the bare challenge, one with too little scope gets the reason. */
const challenges: Partial<Record<ErrorCode, string>> = {
  unauthorized: 'Bearer',
  insufficient_scope: 'Bearer error="insufficient_scope"',
};
