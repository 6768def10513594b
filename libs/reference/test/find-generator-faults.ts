import { isObject, type JsonObject } from '../src/json.ts';

/**
 * Returns what in an OpenAPI document makes generators of clients write bad code: a class for each error of each
 * operation, two types of one name, types without fields. Each fault is a sentence that begins with its place.
 */
export function findGeneratorFaults(document: JsonObject): string[] {
  const nodes = [...walk(document, [])].filter(({ path }) => !path.some((key) => EXAMPLES.has(key)));
  return [
    ...findBodyFaults(document),
    ...findNameFaults(document),
    ...nodes.flatMap(({ value, path }) => findSchemaFaults(value, path)),
    ...findRepeatedChoices(nodes),
  ];
}

type Node = { readonly value: JsonObject; readonly path: readonly string[] };

/** Samples are data, whatever they look like. */
const EXAMPLES = new Set(['example', 'examples']);

function* walk(value: unknown, path: readonly string[]): Generator<Node> {
  if (isObject(value)) yield { value, path };
  if (typeof value !== 'object' || value === null) return;
  for (const [key, part] of Object.entries(value)) yield* walk(part, [...path, key]);
}

type Operation = { readonly id: string; readonly operation: JsonObject };

function listOperations(document: JsonObject, section: 'paths' | 'webhooks'): Operation[] {
  const paths = Object.values((document[section] ?? {}) as Record<string, Record<string, JsonObject>>);
  return paths.flatMap((methods) =>
    Object.values(methods).map((operation) => ({ id: String(operation['operationId']), operation })),
  );
}

const isReference = (value: unknown, kind: string): boolean =>
  isObject(value) && typeof value['$ref'] === 'string' && value['$ref'].startsWith(`#/components/${kind}/`);

/** Bodies are named schemas, and errors named responses, so that every use has the same type. */
function findBodyFaults(document: JsonObject): string[] {
  return listOperations(document, 'paths').flatMap(({ id, operation }) => {
    const answers = Object.entries(operation['responses'] as JsonObject);
    const errors = answers.filter(([status]) => !status.startsWith('2'));
    const bodies: [string, unknown][] = [['request', operation['requestBody']], ...answers];
    return [
      ...errors
        .filter(([, answer]) => !isReference(answer, 'responses'))
        .map(([status]) => `${id} ${status}: the error is written inline`),
      ...bodies
        .filter(([, body]) => hasInlineJson(body))
        .map(([name]) => `${id} ${name}: the body is no named schema`),
    ];
  });
}

function hasInlineJson(part: unknown): boolean {
  const content =
    isObject(part) && isObject(part['content']) ? part['content']['application/json'] : undefined;
  return isObject(content) && !isReference(content['schema'], 'schemas');
}

/** What generators call the types that they make of an operation, after its name. */
const MADE_OF_OPERATIONS = ['', 'Params', 'Response', 'Body', 'JSONBody', 'JSONRequestBody'];

const toKey = (name: string): string => name.replaceAll(/[^A-Za-z0-9]/g, '').toLowerCase();

function findNameFaults(document: JsonObject): string[] {
  const operations = listOperations(document, 'paths');
  const events = listOperations(document, 'webhooks');
  const made = operations.flatMap(({ id }) => MADE_OF_OPERATIONS.map((ending) => id + ending));
  const { securitySchemes: _, ...components } = document['components'] as Record<string, JsonObject>;
  const named = Object.values(components).flatMap((kind) => Object.keys(kind));
  const tags = operations.flatMap(({ operation }) => operation['tags'] as string[]);
  return [
    ...operations
      .filter(({ id }) => !/^[a-z][A-Za-z0-9]+$/.test(id))
      .map(({ id }) => `${id}: the operationId is not in camel case`),
    ...findRepeated([...operations, ...events].map(({ id }) => id)).map(
      (id) => `${id}: two operations have the name`,
    ),
    ...findRepeated([...named, ...made]).map((name) => `${name}: two types would have the name`),
    ...events.flatMap(({ id, operation }) =>
      (operation['tags'] as string[])
        .filter((tag) => tags.includes(tag))
        .map((tag) => `${id}: its file would replace that of the operations with the tag ${tag}`),
    ),
  ];
}

/** Returns the names that occur again, in whatever spelling. */
const findRepeated = (names: readonly string[]): string[] =>
  names.filter((name, at) => names.findIndex((other) => toKey(other) === toKey(name)) !== at);

const LARGEST_INT32 = 2 ** 31 - 1;
const isComponent = (path: readonly string[]): boolean =>
  path.length === 3 && path[0] === 'components' && path[1] === 'schemas';

function findSchemaFaults(schema: JsonObject, path: readonly string[]): string[] {
  const { type, properties, items, maximum, format } = schema;
  const isLong = type === 'integer' && typeof maximum === 'number' && maximum > LARGEST_INT32;
  const faults = [
    isObject(properties) && type === 'object' && !isComponent(path) && 'the object has fields and no name',
    [type].flat().includes('array') && !hasType(items) && 'the items of the list have no type',
    isLong && format !== 'int64' && 'the integer needs the format int64',
  ];
  return faults.filter((fault) => fault !== false).map((fault) => `${path.join('/')}: ${fault}`);
}

const hasType = (schema: unknown): boolean => isObject(schema) && Object.keys(schema).length > 0;

/** A choice that stands in several places becomes a type for each, unless it is a component. */
function findRepeatedChoices(nodes: readonly Node[]): string[] {
  const inline = nodes.filter(({ value, path }) => Array.isArray(value['enum']) && !isComponent(path));
  const seen = new Set<string>();
  return inline.flatMap(({ value, path }) => {
    const choices = JSON.stringify(value['enum']);
    const isKnown = seen.has(choices);
    seen.add(choices);
    return isKnown ? [`${path.join('/')}: the choice stands elsewhere, too, and has no name`] : [];
  });
}
