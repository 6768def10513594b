import type { publicApi } from '@gp/contracts';
import { isObject, type JsonObject } from '../json.ts';
import { listCodesByStatus, type ErrorCollector } from './errors.ts';
import { otherExamples, requestExamples, responseExamples, shownExamples } from './examples.ts';
import { describeHeaders } from './headers.ts';
import { buildSample } from './samples.ts';
import type { SchemaCollector } from './schemas.ts';

/** Names of the security schemes, by the kind of credential. */
export const schemeOf: Readonly<Record<string, string>> = {
  secret_key: 'secretKey',
  session_token: 'sessionToken',
};

/** Builds one operation of the document. */
export function shownOperation(
  operation: publicApi.Operation,
  { schemas, errors }: { schemas: SchemaCollector; errors: ErrorCollector },
): JsonObject {
  const { id, tag, summary, description, accepts, isExtension, success, otherwise } = operation;
  const parameters = describeParameters(operation, schemas);
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: description ?? `${summary}.`,
    security: accepts.map((kind) => ({ [schemeOf[kind] ?? kind]: [] })),
    ...(isExtension && { 'x-extension': true }),
    'x-error-codes': listCodesByStatus(operation),
    ...(operation.deprecated && { deprecated: true }),
    ...(parameters.length > 0 && { parameters }),
    ...(operation.body && { requestBody: requestBody(operation, schemas) }),
    responses: {
      [success.status]: successResponse(operation, schemas),
      ...errors.describeResponses(operation),
      ...(otherwise && {
        [otherwise.status]: errors.addResponse(
          toComponentName(id, otherwise.status),
          otherResponse(operation, otherwise, schemas),
        ),
      }),
    },
  };
}

function requestBody(
  { id, body, isBodyOptional }: publicApi.Operation,
  schemas: SchemaCollector,
): JsonObject {
  const examples = shownExamples(requestExamples[id], buildSample(body));
  return {
    required: !isBodyOptional,
    content: { 'application/json': { schema: schemas.shown(body), examples } },
  };
}

function successResponse(operation: publicApi.Operation, schemas: SchemaCollector): JsonObject {
  const { id, success, isStream, isIdempotent = false, isLocated = false, deprecated } = operation;
  const examples = shownExamples(responseExamples[id], buildSample(success.body));
  return {
    description: success.status === 201 ? 'Created.' : 'Success.',
    headers: describeHeaders({
      status: success.status,
      isIdempotent,
      isLocated,
      isDeprecated: deprecated !== undefined,
    }),
    content: {
      [isStream ? 'text/event-stream' : 'application/json']: {
        schema: schemas.shown(success.body),
        examples,
      },
    },
  };
}

/** `refundGroupPayment` and 502 → `RefundGroupPayment502`. */
const toComponentName = (id: string, status: number): string =>
  `${id.charAt(0).toUpperCase()}${id.slice(1)}${status}`;

function otherResponse(
  { id, isIdempotent }: publicApi.Operation,
  { status, body, description }: NonNullable<publicApi.Operation['otherwise']>,
  schemas: SchemaCollector,
): JsonObject {
  const examples = shownExamples(otherExamples[id], buildSample(body));
  return {
    description,
    headers: describeHeaders({ status, isIdempotent: isIdempotent === true }),
    content: { 'application/json': { schema: schemas.shown(body), examples } },
  };
}

function describeParameters(operation: publicApi.Operation, schemas: SchemaCollector): JsonObject[] {
  const inPath = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    description: pathText(operation, name),
    schema: { type: 'string', format: 'uuid' },
    example: buildSample({ type: 'string', format: 'uuid' }, name),
  }));
  const key = operation.isIdempotent ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : [];
  const resume = operation.isStream ? [{ $ref: '#/components/parameters/LastEventId' }] : [];
  return [...inPath, ...describeQuery(operation, schemas), ...key, ...resume];
}

function pathText({ path }: publicApi.Operation, name: string): string {
  if (name !== 'id') return `The ${name.replace(/_id$/, '').replaceAll('_', ' ')}.`;
  const noun = path.split('/')[2] ?? '';
  const nouns: Record<string, string> = {
    'group-payments': 'The group payment.',
    webhooks: 'The webhook endpoint.',
    events: 'The event.',
    'request-logs': 'The logged request.',
    customers: 'The customer.',
  };
  return nouns[noun] ?? 'The id.';
}

function describeQuery({ query }: publicApi.Operation, schemas: SchemaCollector): JsonObject[] {
  if (!isObject(query) || !isObject(query['properties'])) return [];
  const required = (query['required'] ?? []) as readonly string[];
  return Object.entries(query['properties']).map(([name, schema]) => {
    const { description, ...rest } = schemas.shown(schema) as JsonObject;
    return {
      name,
      in: 'query',
      required: required.includes(name),
      ...(description !== undefined && { description }),
      ...(rest['type'] === 'object' && { style: 'deepObject', explode: true }),
      ...(rest['type'] === 'array' && { style: 'form', explode: true }),
      schema: rest,
    };
  });
}
