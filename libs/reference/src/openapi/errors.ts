import { publicApi } from '@gp/contracts';
import { advice, apiVersion, catalogue, documentedTexts, errorCodes, type ErrorCode } from '@gp/errors';
import type { JsonObject } from '../json.ts';
import { describeHeaders } from './headers.ts';
import type { SchemaCollector } from './schemas.ts';

/** Codes whose response lists the fields at fault. */
const fieldFault = {
  message: 'Validation error: total_amount: must be at least 0.01',
  param: 'total_amount',
  details: [{ param: 'total_amount', reason: 'must be at least 0.01' }],
};

/** Every code that an operation can answer with. */
const reachable = new Set<ErrorCode>(
  Object.values<publicApi.Operation>(publicApi.operations).flatMap(publicApi.listErrorCodes),
);

/**
 * Writes the error responses of operations as references. There is one component for each status, named after it, so
 * that clients generated from the document have one type for all errors.
 */
export function errorCollector(schemas: SchemaCollector) {
  const components = new Map<string, JsonObject>();

  function refer(status: number, codes: readonly ErrorCode[]): JsonObject {
    const text = readStatusText(status);
    const name = text.replaceAll(/[^A-Za-z]/g, '');
    if (!components.has(name)) components.set(name, describeError(status, schemas));
    return { $ref: `#/components/responses/${name}`, description: describeCodes(text, codes) };
  }

  return {
    /** Returns a reference for every error status of an operation, which names the codes of that operation. */
    describeResponses(operation: publicApi.Operation): JsonObject {
      const codes = listCodesByStatus(operation);
      return Object.fromEntries(Object.entries(codes).map(([status, own]) => [status, refer(+status, own)]));
    },
    /** Adds a response that is no error body, and returns the reference to it. */
    addResponse(name: string, response: JsonObject): JsonObject {
      components.set(name, response);
      return { $ref: `#/components/responses/${name}` };
    },
    components: (): JsonObject => Object.fromEntries(components),
  };
}
export type ErrorCollector = ReturnType<typeof errorCollector>;

/** Returns every error code of an operation, by status: the extension `x-error-codes` of the document. */
export function listCodesByStatus(operation: publicApi.Operation): Record<string, readonly ErrorCode[]> {
  const codes = publicApi.listErrorCodes(operation);
  const statuses = [...new Set(codes.map((code) => catalogue[code].status))].sort((a, b) => a - b);
  return Object.fromEntries(
    statuses.map((status) => [status, codes.filter((code) => catalogue[code].status === status)]),
  );
}

/** The short text of the status, such as Bad Request. */
const readStatusText = (status: number): string =>
  Object.values(catalogue).find((entry) => entry.status === status)?.error ?? String(status);

const describeCodes = (text: string, codes: readonly ErrorCode[]): string =>
  `${text}: ${codes.map((code) => `\`${code}\``).join(', ')}.`;

function describeError(status: number, schemas: SchemaCollector): JsonObject {
  const codes = [...reachable].filter((code) => catalogue[code].status === status);
  return {
    description: `${readStatusText(status)}: \`code\` says why.`,
    headers: describeHeaders({ status, ...waiting(status, codes), isIdempotent: isStored(status) }),
    content: {
      'application/json': {
        schema: schemas.shown(publicApi.ErrorResponse),
        examples: Object.fromEntries(codes.map((code) => [code, errorExample(code)])),
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

function errorExample(code: ErrorCode): JsonObject {
  const { error, text, param, hint, anchor } = catalogue[code];
  const value = {
    error,
    message: text,
    version: apiVersion,
    code,
    request_id: 'req_01K0G5Z7Q8',
    ...(param !== undefined && { param }),
    ...(hint !== undefined && { hint }),
    ...(code === 'validation_error' && fieldFault),
    ...(code === 'not_found' && { message: documentedTexts.groupPaymentNotFound }),
    doc_url: `https://api.example.com/docs#${anchor}`,
  };
  return { summary: text, value };
}

/** Returns every code with its status, sentence, cause and remedy, as a Markdown table whose rows can be linked to. */
export function errorTable(): string {
  const rows = errorCodes.map((code) => {
    const { status, text, retryable, anchor } = catalogue[code];
    const { cause, remedy } = advice[code];
    return [`<a id="${anchor}"></a>\`${code}\``, status, text, cause, remedy, retryable ? 'yes' : ''].join(
      ' | ',
    );
  });
  return [
    '| code | status | says | cause | remedy | try again |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows.map((row) => `| ${row} |`),
  ].join('\n');
}
