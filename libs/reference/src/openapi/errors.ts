import { publicApi } from '@gp/contracts';
import { apiVersion, catalogue, documentedTexts, type ErrorCode } from '@gp/errors';
import type { JsonObject } from '../json.ts';
import { describeHeaders } from './headers.ts';
import type { SchemaCollector } from './schemas.ts';

/** Codes whose response lists the fields at fault. */
const fieldFault = {
  message: 'Validation error: total_amount: must be at least 0.01',
  param: 'total_amount',
  details: [{ param: 'total_amount', reason: 'must be at least 0.01' }],
};

/**
 * Writes the error responses of operations. Those that are the same everywhere become components, named after their
 * status.
 */
export function errorCollector(schemas: SchemaCollector) {
  const components = new Map<string, JsonObject>();

  function describeResponse(
    status: number,
    codes: readonly ErrorCode[],
    operation: publicApi.Operation,
  ): JsonObject {
    const response = errorResponse(status, codes, operation, schemas);
    const [first] = codes;
    if (!first || !codes.every((code) => publicApi.errorCodesOfAll.includes(code))) return response;
    if (isStored(status) && operation.isIdempotent) return response;
    const name = catalogue[first].error.replaceAll(/[^A-Za-z]/g, '');
    const known = components.get(name);
    if (known && JSON.stringify(known) !== JSON.stringify(response)) return response;
    components.set(name, response);
    return { $ref: `#/components/responses/${name}` };
  }

  return {
    /** Returns every error response of an operation, by status. */
    describeResponses(operation: publicApi.Operation): JsonObject {
      const codes = publicApi.listErrorCodes(operation);
      const statuses = [...new Set(codes.map((code) => catalogue[code].status))].sort((a, b) => a - b);
      const entries = statuses.map((status) => {
        const these = codes.filter((code) => catalogue[code].status === status);
        return [String(status), describeResponse(status, these, operation)];
      });
      return Object.fromEntries(entries) as JsonObject;
    },
    components: (): JsonObject => Object.fromEntries(components),
  };
}
export type ErrorCollector = ReturnType<typeof errorCollector>;

function errorResponse(
  status: number,
  codes: readonly ErrorCode[],
  operation: publicApi.Operation,
  schemas: SchemaCollector,
): JsonObject {
  const error = codes[0] && catalogue[codes[0]].error;
  const ofCodes = { type: 'object', properties: { code: { type: 'string', enum: codes } } };
  return {
    description: `${String(error)}: ${codes.map((code) => `\`${code}\``).join(', ')}.`,
    headers: describeHeaders({
      status,
      ...waiting(status, codes),
      isIdempotent: operation.isIdempotent === true && isStored(status),
    }),
    content: {
      'application/json': {
        schema: { allOf: [schemas.shown(publicApi.ErrorResponse), ofCodes] },
        examples: Object.fromEntries(codes.map((code) => [code, errorExample(code, operation)])),
      },
    },
  };
}

/** Conflicts and internal errors may ask for a wait; some codes always do. */
function waiting(
  status: number,
  codes: readonly ErrorCode[],
): Pick<Parameters<typeof describeHeaders>[0], 'asksToWait'> {
  if (codes.every((code) => catalogue[code].retryAfterSeconds !== undefined)) return { asksToWait: 'always' };
  return status === 409 || status >= 500 ? { asksToWait: 'sometimes' } : {};
}

/** Refusals of the business are stored under an idempotency key; those of the input and the transport are not. */
const isStored = (status: number): boolean => status === 400 || status === 404 || status === 409;

function errorExample(code: ErrorCode, operation: publicApi.Operation): JsonObject {
  const { error, text, param, anchor } = catalogue[code];
  const value = {
    error,
    message: text,
    version: apiVersion,
    code,
    request_id: 'req_01K0G5Z7Q8',
    ...(param !== undefined && { param }),
    ...(code === 'validation_error' && fieldFault),
    ...(code === 'not_found' && { message: notFoundText(operation) }),
    doc_url: `https://api.example.com/docs#${anchor}`,
  };
  return { summary: text, value };
}

function notFoundText({ tag, id }: publicApi.Operation): string {
  if (id === 'confirmPayment') return 'payment intent not found';
  return tag === 'Webhooks' ? 'webhook endpoint not found' : documentedTexts.groupPaymentNotFound;
}

/** Returns every code with its status and sentence, as a Markdown table whose rows can be linked to. */
export function errorTable(): string {
  const rows = Object.entries(catalogue).map(([code, { status, text, retryable, anchor }]) =>
    [`<a id="${anchor}"></a>\`${code}\``, status, text, retryable ? 'yes' : ''].join(' | '),
  );
  return [
    '| code | status | says | try again |',
    '| --- | --- | --- | --- |',
    ...rows.map((row) => `| ${row} |`),
  ].join('\n');
}
