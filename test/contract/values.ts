import fc from 'fast-check';
import { isObject, type JsonObject } from '@gp/reference';

/** Texts of which every pattern of the description refuses at least one. */
const MISFITS = ['no such word', '', '4242 4242 4242 4242', 'a\u202Eb'];

/** Values for the schemas of a document: those they allow, and those they surely do not. */
export type Values = {
  /** A value the schema allows; what the platform makes of it is another question. */
  right(schema: unknown, name?: string): fc.Arbitrary<unknown>;
  /** A value with one fault, anywhere in it; undefined where the schema allows everything. */
  spoilt(schema: unknown, name?: string): fc.Arbitrary<unknown> | undefined;
};

/** Placeholders for values that only the running platform has; filled in when the request is sent. */
export const place = (name: string): string => `{{${name}}}`;

/** Fields whose right values no schema can know. */
const named: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  customer_email: fc.constantFrom('ana@payers.example', 'Ben@payers.example', 'x+y@payers.example'),
  slot_ids: fc.constantFrom([place('slot')], [place('slot'), place('otherSlot')]),
  payment_intent_id: fc.constant(place('payment')),
  group_payment_id: fc.constant(place('group')),
  encrypted_card_number: fc.constant(place('number')),
  encrypted_security_code: fc.constant(place('code')),
  expiration_year: fc.constant(2034),
  group_name: fc.constantFrom('Dinner at Casa Lola', 'Κυριακή', '🍖', 'x'),
  total_amount: fc.constantFrom(90, 90, 100.5),
  amount: fc.constantFrom(45, 90, 30),
  minimum_amount: fc.constantFrom(45, 90),
  minimum_slots: fc.integer({ min: 1, max: 2 }),
  max_amount: fc.constantFrom(2, 20),
  tip: fc.constantFrom(1, 2),
  number_of_slots: fc.integer({ min: 1, max: 3 }),
  slot_metadata: fc
    .integer({ min: 1, max: 3 })
    .map((n) => Array.from({ length: n }, () => ({ metadata: {} }))),
  slot_labels: fc.constantFrom(['Starter and wine'], [null, 'Ben'], ['1', ' Κρασί ', null]),
  label: fc.constantFrom('Starter and wine', ' Ben ', '焼肉🍖'),
  currency: fc.constantFrom('EUR', 'USD', 'JPY'),
  expires_at: fc.constant(place('soon')),
  since: fc.constant(place('past')),
  created_after: fc.constant(place('past')),
  last_payment_after: fc.constant(place('past')),
  until: fc.constant(place('now')),
  created_before: fc.constant(place('now')),
  last_payment_before: fc.constant(place('now')),
  url: fc.constant(place('url')),
  from: fc.constantFrom('2026-01-01', '2026-01-31'),
  to: fc.constantFrom('2026-01-31', '2026-03-31'),
  time_zone: fc.constantFrom('UTC', 'Europe/Madrid', 'Asia/Kathmandu'),
  // Every step of it is waited for.
  seconds: fc.integer({ min: 1, max: 3 }),
};

const samples: Readonly<Record<string, unknown>> = {
  null: null,
  boolean: true,
  integer: 7,
  number: 7.5,
  string: 'text',
  array: ['text'],
  object: { text: 'text' },
};

const listTypes = ({ type }: JsonObject): readonly string[] =>
  [type].flat().filter((t) => typeof t === 'string');
const readCount = (value: unknown, usual: number): number => (typeof value === 'number' ? value : usual);

/** Whether an object has as many fields as its schema allows. */
function hasAllowedSize(value: object, { minProperties, maxProperties }: JsonObject): boolean {
  const { length } = Object.keys(value);
  return length >= readCount(minProperties, 0) && length <= readCount(maxProperties, Infinity);
}

export function buildValues(document: JsonObject): Values {
  function followed(schema: unknown): JsonObject {
    if (!isObject(schema)) return {};
    if (typeof schema['$ref'] !== 'string') return schema;
    return followed(
      schema['$ref']
        .split('/')
        .slice(1)
        .reduce<unknown>((found, part) => (isObject(found) ? found[part] : undefined), document),
    );
  }
  const listFields = (schema: JsonObject): readonly (readonly [string, unknown])[] =>
    isObject(schema['properties']) ? Object.entries(schema['properties']) : [];
  const listRequired = (schema: JsonObject): string[] => (schema['required'] ?? []) as string[];

  function right(given: unknown, name = ''): fc.Arbitrary<unknown> {
    const schema = followed(given);
    if (Object.hasOwn(named, name)) return named[name] as fc.Arbitrary<unknown>;
    if ('const' in schema) return fc.constant(schema['const']);
    if (Array.isArray(schema['enum'])) return fc.constantFrom(...(schema['enum'] as unknown[]));
    const branches = schema['oneOf'] ?? schema['anyOf'];
    if (Array.isArray(branches)) return fc.oneof(...branches.map((branch) => right(branch)));
    const types = listTypes(schema);
    return types.length === 0 ? fc.jsonValue() : fc.oneof(...types.map((type) => ofType(type, schema)));
  }

  function ofType(type: string, schema: JsonObject): fc.Arbitrary<unknown> {
    switch (type) {
      case 'object':
        return anObject(schema);
      case 'array': {
        const [minLength, maxLength] = [readCount(schema['minItems'], 0), readCount(schema['maxItems'], 4)];
        const o = { minLength, maxLength: Math.min(maxLength, minLength + 4) };
        const items = right(schema['items']);
        return schema['uniqueItems']
          ? fc.uniqueArray(items, { ...o, selector: (item) => JSON.stringify(item) })
          : fc.array(items, o);
      }
      case 'string': {
        const minLength = readCount(schema['minLength'], 0);
        return fc.string({ unit: 'grapheme', minLength, maxLength: readCount(schema['maxLength'], 30) });
      }
      case 'boolean':
        return fc.boolean();
      case 'null':
        return fc.constant(null);
      default: {
        const min = readCount(schema['minimum'], 0);
        return fc.integer({ min, max: Math.min(readCount(schema['maximum'], min + 1_000), 2 ** 31) });
      }
    }
  }

  function anObject(schema: JsonObject): fc.Arbitrary<unknown> {
    const fields = listFields(schema);
    if (!isObject(schema['properties'])) return aDictionary(schema);
    const parts = Object.fromEntries(fields.map(([field, part]) => [field, right(part, field)]));
    return fc
      .record(parts, { requiredKeys: listRequired(schema) })
      .filter((value) => hasAllowedSize(value as object, schema));
  }

  function aDictionary(schema: JsonObject): fc.Arbitrary<unknown> {
    const values = schema['additionalProperties'];
    const size = { minKeys: readCount(schema['minProperties'], 0) };
    if (!isObject(values) || values['type'] === undefined)
      return fc.dictionary(fc.string(), fc.jsonValue(), { ...size, maxKeys: 4 });
    const keys = fc.string({ unit: 'grapheme-ascii', maxLength: 8 });
    return fc.dictionary(keys, right(values), { ...size, maxKeys: readCount(schema['maxProperties'], 4) });
  }

  function spoilt(given: unknown, name = ''): fc.Arbitrary<unknown> | undefined {
    const schema = followed(given);
    const branches = Array.isArray(schema['oneOf']) ? schema['oneOf'].map(followed) : [schema];
    const types = branches.flatMap(listTypes);
    if (types.length === 0) return undefined;
    const fits = (type: string) => types.includes(type) || (type === 'integer' && types.includes('number'));
    const others = Object.keys(samples).filter((type) => !fits(type));
    const faults: fc.Arbitrary<unknown>[] = [fc.constantFrom(...others.map((type) => samples[type]))];
    for (const branch of branches) faults.push(...bounds(branch).map(fc.constant), ...deeper(branch, name));
    return fc.oneof(...faults);
  }

  /** One step beyond what is allowed. */
  function bounds(schema: JsonObject): unknown[] {
    const { minimum, maximum, minLength, maxLength, enum: choices, format, pattern } = schema;
    return [
      ...(typeof minimum === 'number' ? [minimum - 1] : []),
      ...(typeof maximum === 'number' && maximum < Number.MAX_SAFE_INTEGER ? [maximum + 1] : []),
      ...(listTypes(schema).includes('string') && readCount(minLength, 0) > 0 ? [''] : []),
      ...(typeof maxLength === 'number' ? ['x'.repeat(maxLength + 1)] : []),
      ...(Array.isArray(choices) || ['uuid', 'date', 'date-time'].includes(String(format))
        ? ['no such word', '']
        : []),
      ...(typeof pattern === 'string' ? MISFITS.filter((text) => !new RegExp(pattern, 'u').test(text)) : []),
      ...(format === 'email' ? ['nobody', 'a@b@c'] : []),
    ];
  }

  /** A fault in a part of it. */
  function deeper(schema: JsonObject, name: string): fc.Arbitrary<unknown>[] {
    const whole = right(schema, name);
    if (listTypes(schema).includes('array')) return inArray(schema, whole);
    if (!isObject(schema['properties'])) return [];
    const fields = listFields(schema).flatMap(([field, part]) => {
      const fault = spoilt(part, field);
      return fault
        ? [fc.tuple(whole, fault).map(([value, by]) => ({ ...(value as object), [field]: by }))]
        : [];
    });
    const missing = listRequired(schema).map((field) =>
      whole.map((value) => ({ ...(value as object), [field]: undefined })),
    );
    const unknown = whole.map((value) => ({ ...(value as object), nobody_knows_this: 1 }));
    return [...fields, ...missing, ...(schema['additionalProperties'] === false ? [unknown] : [])];
  }

  function inArray(schema: JsonObject, whole: fc.Arbitrary<unknown>): fc.Arbitrary<unknown>[] {
    const { minItems, maxItems, uniqueItems, items } = schema;
    const fault = spoilt(items);
    return [
      ...(readCount(minItems, 0) > 0 ? [fc.constant([])] : []),
      ...(typeof maxItems === 'number'
        ? [right(items).map((item) => Array.from({ length: maxItems + 1 }, () => item))]
        : []),
      ...(uniqueItems ? [right(items).map((item) => [item, item])] : []),
      ...(fault ? [fc.tuple(whole, fault).map(([value, by]) => [...(value as unknown[]), by])] : []),
    ];
  }

  return { right, spoilt };
}
