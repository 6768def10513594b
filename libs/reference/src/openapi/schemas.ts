import { isObject, type JsonObject } from '../json.ts';
import { buildSample } from './samples.ts';

/** Collects titled schemas as components and writes the others where they are used. */
export function schemaCollector() {
  const components = new Map<string, JsonObject>();

  function written(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(written);
    if (!isObject(value)) return value;
    const { title } = value;
    if (typeof title !== 'string') return plain(value);
    if (isShared(value)) return referWithDescription(title, value);
    if (value['type'] !== 'object') return plain(value);
    return referTo(title, { ...plain(value), examples: [buildSample(value)] });
  }

  /** Each use of a shared schema has a description and a default of its own, beside the reference. */
  function referWithDescription(title: string, schema: JsonObject): JsonObject {
    const { description, default: usual, ...body } = schema;
    return {
      ...referTo(title, plain(body)),
      ...(description !== undefined && { description }),
      ...(usual !== undefined && { default: usual }),
    };
  }

  function referTo(title: string, body: JsonObject): JsonObject {
    const known = components.get(title);
    if (known && JSON.stringify(known) !== JSON.stringify(body))
      throw new Error(`two public schemas are called ${title}`);
    components.set(title, body);
    return { $ref: `#/components/schemas/${title}` };
  }

  function plain(schema: JsonObject): JsonObject {
    const parts = Object.entries(schema).map(([key, part]) => [key, written(part)] as const);
    return discriminated(schema, nullable(free(precise(Object.fromEntries(parts)))));
  }

  return {
    /** Returns the schema as the document shows it: a reference when it has a title. */
    shown: (schema: unknown): unknown => written(JSON.parse(JSON.stringify(schema))),
    /** Returns every component so far, by name. */
    components: (): JsonObject => Object.fromEntries([...components].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}
export type SchemaCollector = ReturnType<typeof schemaCollector>;

/** Whether a schema is a choice of texts or free pairs, which many fields have in common. */
const isShared = ({ enum: choices, patternProperties }: JsonObject): boolean =>
  choices !== undefined || patternProperties !== undefined;

const LARGEST_INT32 = 2 ** 31 - 1;

/** Names the size of numbers: without it generated clients take integers for 32 bits. */
function precise(schema: JsonObject): JsonObject {
  const { type, maximum } = schema;
  if (type === 'number') return { ...schema, format: 'double' };
  const isLong = type === 'integer' && typeof maximum === 'number' && maximum > LARGEST_INT32;
  return isLong ? { ...schema, format: 'int64' } : schema;
}

/** Writes a record of anything as free pairs. */
function free({ patternProperties, ...rest }: JsonObject): JsonObject {
  if (!isObject(patternProperties)) return rest;
  const [values = {}] = Object.values(patternProperties);
  return { ...rest, additionalProperties: values };
}

/** Writes `X or null` as one list of types, which readers and generators show better than a union. */
function nullable({ anyOf, ...rest }: JsonObject): JsonObject {
  if (!Array.isArray(anyOf)) return rest;
  const [first, second] = anyOf as readonly JsonObject[];
  const isSimple = anyOf.length === 2 && second?.['type'] === 'null' && typeof first?.['type'] === 'string';
  return isSimple ? { ...first, ...rest, type: [first['type'], 'null'] } : { ...rest, anyOf };
}

/** Names the branch of each value of a discriminator. */
function discriminated(source: JsonObject, schema: JsonObject): JsonObject {
  const { discriminator, oneOf } = source;
  if (!isObject(discriminator) || !Array.isArray(oneOf)) return schema;
  const name = String(discriminator['propertyName']);
  const branches = (oneOf as readonly { title: string; properties: Record<string, JsonObject> }[]).map(
    ({ title, properties }) =>
      [String(properties[name]?.['const']), `#/components/schemas/${title}`] as const,
  );
  const { type: _type, properties: _properties, required: _required, ...rest } = schema;
  return { ...rest, discriminator: { propertyName: name, mapping: Object.fromEntries(branches) } };
}
