type Schema = { readonly [key: string]: unknown };

/**
 * Returns the same schemas, but with unknown fields as faults: responses have exactly the documented fields. The
 * parts of an `allOf` stay open, because each would refuse the fields of the others.
 */
export function closed(schema: unknown, isPart = false): unknown {
  if (Array.isArray(schema)) return schema.map((item) => closed(item));
  if (typeof schema !== 'object' || schema === null) return schema;
  const parts = Object.fromEntries(
    Object.entries(schema as Schema).map(([key, part]) => [
      key,
      key === 'allOf' && Array.isArray(part) ? part.map((item) => closed(item, true)) : closed(part),
    ]),
  );
  const isObjectSchema = typeof parts['properties'] === 'object' && parts['type'] === 'object';
  return isObjectSchema && !isPart ? { ...parts, additionalProperties: false } : parts;
}
