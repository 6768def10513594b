import type { TSchema } from '@gp/bundled/typebox';
import { buildRefusal } from './faults.ts';

type Property = { readonly type?: string };

/**
 * Returns the values of a query by the names of its schema, none of them checked yet. A list is written `name=a&name=b` or
 * `name[]=a`, an object `name[key]=value`. Names that the schema lacks are kept where it is closed, so that they are found
 * to be faults, and left out otherwise. Throws `validation_error` for a name that comes twice and for a key inside a key.
 */
export function collectQuery(query: URLSearchParams, schema: TSchema): Record<string, unknown> {
  const { properties = {}, additionalProperties } = schema as {
    properties?: Record<string, Property>;
    additionalProperties?: boolean;
  };
  const isOpen = additionalProperties !== false;
  const single = new Map<string, unknown>();
  const lists = new Map<string, string[]>();
  const objects = new Map<string, Map<string, string>>();
  for (const [given, text] of query) {
    const { name, key } = splitName(given, properties);
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (property?.type === 'array') lists.set(name, [...(lists.get(name) ?? []), text]);
    else if (property?.type === 'object' && key !== undefined)
      objects.set(name, putOnce(objects.get(name) ?? new Map<string, string>(), key, text));
    else if (property || !isOpen) putOnce(single, name, toValue(text, property));
  }
  const pairs = [...objects].map(([name, parts]) => [name, Object.fromEntries(parts)] as const);
  return Object.fromEntries([...single, ...lists, ...pairs]);
}

/** `metadata[table]` → `metadata` and `table`, for names that the schema knows as objects or lists. */
function splitName(given: string, properties: Record<string, Property>): { name: string; key?: string } {
  const [, name = '', key = ''] = /^([a-z_]+)\[(.*)\]$/s.exec(given) ?? [];
  const type = Object.hasOwn(properties, name) ? properties[name]?.type : undefined;
  if (type === 'object' && key.includes(']['))
    throw buildRefusal([{ param: name, reason: `must name one key, as in ${name}[key]=value` }]);
  if (type === 'object') return { name, key };
  return type === 'array' && key === '' ? { name } : { name: given };
}

function putOnce<T>(values: Map<string, T>, name: string, value: T): Map<string, T> {
  if (values.has(name)) throw buildRefusal([{ param: shortName(name), reason: 'must be given once' }]);
  return values.set(name, value);
}

const toValue = (text: string, property: Property | undefined): unknown =>
  property?.type === 'integer' && /^-?\d+$/.test(text) ? Number(text) : text;

const shortName = (name: string): string => name.slice(0, 64).toWellFormed();
