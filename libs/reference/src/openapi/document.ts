import { publicApi } from '@gp/contracts';
import { apiVersion } from '@gp/errors';
import { addCodeSamples } from '../code-samples/code-samples.ts';
import type { JsonObject } from '../json.ts';
import { errorCollector } from './errors.ts';
import { headers } from './headers.ts';
import { schemeOf, shownOperation } from './operation.ts';
import { schemaCollector } from './schemas.ts';
import { EVENTS_SENT, shownWebhooks } from './webhooks.ts';

const tagTexts: Readonly<Record<publicApi.Operation['tag'], string>> = {
  'Group payments': 'One bill, split into slots.',
  Payments: 'Taking slots and authorising cards.',
  Refunds: 'Giving captured money back.',
  Customers: 'Reading who paid.',
  Balance: 'How the money stands, and how it moved.',
  Sessions: 'Tokens that a browser may hold.',
  Webhooks: 'Where events are sent, and what became of them.',
  Events: 'Reading events again.',
  'Request logs': 'Reading which requests were made, and how they were answered.',
  'Test clock': 'Moving the time of test mode.',
};

const securitySchemes: JsonObject = {
  secretKey: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'sk_test_… or sk_live_…',
    description: 'A secret key, for servers only. Its prefix decides between test and live mode.',
  },
  sessionToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'A short-lived token for browsers, good for one group payment.',
  },
};

const IdempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'A name of your own for this action: sent again with the same name, it happens once.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
  example: 'order-4711-ana-1',
};

const LastEventId = {
  name: 'Last-Event-ID',
  in: 'header',
  required: false,
  description: 'The id that the stream sent last: it is resumed there.',
  schema: { type: 'string', format: 'uuid' },
  example: '0198c0de-0000-7000-8000-0000000000e1',
};

/** Builds the whole public interface as OpenAPI 3.1; `guides` is Markdown for the description. */
export function openApiDocument(guides: string): JsonObject {
  const schemas = schemaCollector();
  const errors = errorCollector(schemas);
  const operations: readonly publicApi.Operation[] = Object.values(publicApi.operations);
  const paths: Record<string, Record<string, JsonObject>> = {};
  for (const operation of operations) {
    const shown = shownOperation(operation, { schemas, errors });
    (paths[operation.path] ??= {})[operation.method.toLowerCase()] = addCodeSamples(operation, shown);
  }
  const webhooks = shownWebhooks(schemas);
  const used = new Set(operations.map(({ tag }) => tag));
  return {
    openapi: '3.1.1',
    info: {
      title: 'Group Payments',
      version: apiVersion,
      summary: 'One bill, paid together.',
      description: guides,
      contact: { name: 'The operator of this platform', url: 'https://github.com/group-payments' },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [
      { url: '/', description: 'Where this document is served; the key decides between test and live.' },
    ],
    tags: [
      ...publicApi.TAGS.filter((tag) => used.has(tag)).map((name) => ({ name, description: tagTexts[name] })),
      { name: EVENTS_SENT, description: 'What webhook endpoints are sent.' },
    ],
    paths,
    webhooks,
    components: {
      securitySchemes: listSecuritySchemes(operations),
      parameters: { IdempotencyKey, LastEventId },
      headers: usedHeaders({ paths, responses: errors.components() }),
      responses: errors.components(),
      schemas: schemas.components(),
    },
  };
}

/** Returns only the headers that a response names: there may be no deprecated operation, for example. */
function usedHeaders(responses: JsonObject): JsonObject {
  const text = JSON.stringify(responses);
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => text.includes(`"#/components/headers/${name}"`)),
  );
}

/** Returns only the security schemes that an operation accepts. */
function listSecuritySchemes(operations: readonly publicApi.Operation[]): JsonObject {
  const used = new Set(operations.flatMap(({ accepts }) => accepts.map((kind) => schemeOf[kind])));
  return Object.fromEntries(Object.entries(securitySchemes).filter(([name]) => used.has(name)));
}
