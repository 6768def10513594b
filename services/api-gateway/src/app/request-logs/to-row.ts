import type { Mode } from '@gp/contracts';
import type { RequestLogRow } from '../../db/request-logs.ts';
import { redact, redactQuery, redactText } from './redact.ts';

/** A request of a merchant as it was answered; nothing of it is redacted yet. */
export type LoggedRequest = {
  /** A UUID of version 7, made when the request arrived. */
  readonly id: string;
  readonly merchantId: string;
  readonly mode: Mode;
  /** Id of the secret key; null for a session token. */
  readonly keyId: string | null;
  readonly requestId: string;
  readonly method: string;
  /** The path of the operation, `/v1/group-payments/{id}`. */
  readonly route: string;
  readonly path: string;
  readonly query: string;
  readonly status: number;
  readonly durationMs: number;
  readonly requestBody?: Uint8Array;
  readonly responseBody?: Uint8Array;
};

/** Returns the row of a request, in which only redacted texts are left. */
export function toRow({ requestBody, responseBody, ...request }: LoggedRequest): RequestLogRow {
  const response = readObject(responseBody);
  const code = request.status >= 400 ? response?.['code'] : undefined;
  return {
    ...request,
    method: redactText(request.method),
    path: redactText(request.path),
    query: redactQuery(request.query),
    errorCode: typeof code === 'string' ? redactText(code) : null,
    durationMs: Math.min(Math.round(request.durationMs), 2 ** 31 - 1),
    requestBody: writeRedacted(readObject(requestBody)),
    responseBody: writeRedacted(response),
  };
}

type JsonObject = Readonly<Record<string, unknown>>;

/** Every body of the interface is an object; nothing else is kept, what is no JSON least of all. */
function readObject(bytes: Uint8Array | undefined): JsonObject | undefined {
  if (!bytes || bytes.length === 0) return undefined;
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes).toString());
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const writeRedacted = (body: JsonObject | undefined): string | null =>
  body ? JSON.stringify(redact(body)) : null;
