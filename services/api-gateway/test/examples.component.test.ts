import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openApiText } from '@gp/reference';
import { openEdge, type Edge } from './support/edge.ts';

type Schema = {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
  readonly examples?: readonly unknown[];
};
type Body = {
  readonly schema: Schema;
  readonly examples: Readonly<Record<string, { readonly value: unknown }>>;
};
type Operation = {
  readonly operationId: string;
  readonly requestBody?: { readonly content: { readonly 'application/json': Body } };
};
type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
};
type Sent = { readonly name: string; readonly method: string; readonly path: string; readonly body: unknown };

const addresses = { api: 'https://api.example', checkout: 'https://pay.example', nowMs: Date.now() };
const document = JSON.parse(await openApiText(addresses)) as Document;

/** Returns every example of a schema and of the schemas within it, each in its place in a whole body. */
function placeExamples(schema: Schema, whole: unknown): { name: string; body: unknown }[] {
  const title = schema.$ref?.split('/').at(-1);
  const { examples = [], properties = {}, items, oneOf = [] } = title === undefined ? schema : find(title);
  const own = title === undefined ? [] : examples.map((body) => ({ name: title, body }));
  const parent = own[0]?.body ?? whole;
  const fields = Object.entries(properties).flatMap(([field, part]) =>
    placeExamples(part, (parent as Record<string, unknown>)[field]).map(({ name, body }) => ({
      name: `${field}: ${name}`,
      body: { ...(parent as object), [field]: body },
    })),
  );
  const list = Array.isArray(parent) ? (parent as readonly unknown[]) : [];
  const inItems = items
    ? placeExamples(items, list[0]).map(({ name, body }) => ({
        name: `each ${name}`,
        body: list.map(() => body),
      }))
    : [];
  return [...own, ...fields, ...inItems, ...oneOf.flatMap((branch) => placeExamples(branch, parent))];
}

function find(title: string): Schema {
  const schema = document.components.schemas[title];
  if (!schema) throw new Error(`no schema ${title}`);
  return schema;
}

function listRequests(): Sent[] {
  return Object.entries(document.paths).flatMap(([template, methods]) =>
    Object.entries(methods).flatMap(([method, { operationId, requestBody }]) => {
      const content = requestBody?.content['application/json'];
      if (!content) return [];
      const path = template.replaceAll(/\{\w+\}/g, '0198c0de-0000-7000-8000-000000000001');
      const written = Object.entries(content.examples).map(([name, { value: body }]) => ({ name, body }));
      const placed = placeExamples(content.schema, undefined);
      return [...written, ...placed].map(({ name, body }) => ({
        ...{ name: `${operationId}, ${name}`, method: method.toUpperCase(), path, body },
      }));
    }),
  );
}

const requests = listRequests();
const SHAPE = /^(validation_error|invalid_json|malformed_request|unsupported_media_type)$/;

let edge: Edge;
beforeAll(async () => (edge = await openEdge()));
afterAll(() => edge?.close());

describe('the request examples of openapi.json', () => {
  it('the request examples include those of schemas within a body', () => {
    const names = requests.map(({ name }) => name);
    for (const title of ['Distribution', 'EqualDistribution', 'CustomDistribution'])
      expect(names).toContain(`createGroupPayment, distribution: ${title}`);
    expect(names).toContain('createGroupPayment, distribution: slots: each CustomSlot');
  });

  it.each(requests.map((sent) => [sent.name, sent] as const))(
    'the API takes the example of %s, and refuses it with a field that it does not know',
    async (_name, { method, path, body }) => {
      const { body: answer } = await edge.send(method, path, { body });
      expect(answer).not.toMatchObject({ code: expect.stringMatching(SHAPE) });
      const odd = { ...(body as object), no_such_field: 1 };
      expect(await edge.send(method, path, { body: odd })).toMatchObject({
        status: 400,
        body: { param: 'no_such_field' },
      });
    },
  );
});
