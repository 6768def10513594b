import fc from 'fast-check';
import { isObject, type JsonObject } from '@gp/reference';
import { place, buildValues, type Values } from './values.ts';

/** A request before its places are filled in. */
export type Draft = {
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  readonly body: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** The fault of the request, if any. */
  readonly fault: 'body' | 'query' | 'path' | 'type' | undefined;
  /** Chooses among the things the places stand for. */
  readonly pick: number;
};

/** The published form of an operation. */
export type Described = {
  readonly id: string;
  readonly method: string;
  readonly template: string;
  readonly accepts: readonly string[];
  readonly draft: fc.Arbitrary<Draft>;
};

type Part = { readonly text: string | undefined; readonly isWrong: boolean };
const none = fc.constant<Part>({ text: undefined, isWrong: false });
const rightly = (text: fc.Arbitrary<string>) => text.map<Part>((t) => ({ text: t, isWrong: false }));
const wrongly = (text: fc.Arbitrary<string>) => text.map<Part>((t) => ({ text: t, isWrong: true }));

/** Every operation of a document, with requests of it: right ones, and such with one fault. */
export function describedIn(document: JsonObject): Described[] {
  const values = buildValues(document);
  const paths = document['paths'] as Record<string, Record<string, JsonObject>>;
  return Object.entries(paths).flatMap(([template, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      id: String(operation['operationId']),
      method: method.toUpperCase(),
      template,
      accepts: (operation['security'] as object[]).flatMap((scheme) => Object.keys(scheme)),
      draft: generateDraft(values, operation, method.toUpperCase(), template),
    })),
  );
}

function generateDraft(
  values: Values,
  operation: JsonObject,
  method: string,
  template: string,
): fc.Arbitrary<Draft> {
  const parts = {
    path: template.includes('{') ? generatePath(template) : none,
    query: generateQuery(values, operation, method === 'GET' && template.endsWith('}')),
    body: generateBody(values, operation),
    key: generateKey(operation),
    isOtherType: fc.integer({ min: 0, max: 40 }).map((n) => n === 0),
    pick: fc.nat(1_000),
  };
  return fc.record(parts).map(({ path, query, body, key, isOtherType, pick }) => {
    const isTyped = body.text !== undefined && body.text !== '';
    const type = isOtherType ? 'text/plain' : 'application/json';
    const fault = path.isWrong ? 'path' : query.isWrong ? 'query' : body.isWrong ? 'body' : undefined;
    return {
      operation: String(operation['operationId']),
      method,
      path: `${path.text ?? template}${query.text ?? ''}`,
      body: body.text,
      headers: {
        ...(isTyped && { 'content-type': type }),
        ...(key !== undefined && { 'idempotency-key': key }),
      },
      fault: fault ?? (isTyped && isOtherType ? 'type' : undefined),
      pick,
    };
  });
}

/** Ids of nothing. */
const strangeIds = [
  '0',
  'null',
  '__proto__',
  '%00',
  "'",
  '%F0%9F%8D%96',
  'a'.repeat(2_000),
  '{id}',
  '%2e%2e%2f',
];

function generatePath(template: string): fc.Arbitrary<Part> {
  const noun = template.split('/')[2] ?? '';
  const right = template
    .replace('{id}', place(noun))
    .replaceAll(/\{(\w+_id)\}/g, (_all, name: string) => place(name));
  const ids = fc.oneof(fc.constantFrom(...strangeIds), fc.uuid());
  const wrong = ids.map((id) => template.replaceAll(/\{\w+\}/g, encodeURI(decodeURI(id))));
  return fc.oneof(
    { weight: 9, arbitrary: rightly(fc.constant(right)) },
    { weight: 1, arbitrary: wrongly(wrong) },
  );
}

/** Where one object is read, unknown names are no fault: they are ignored. */
function generateQuery(values: Values, operation: JsonObject, isOfOne: boolean): fc.Arbitrary<Part> {
  const all = (operation['parameters'] ?? []) as readonly JsonObject[];
  const inQuery = all.filter((parameter) => parameter['in'] === 'query');
  // Only an answer can give a cursor; one that is made up is tried among the faults.
  const free = inQuery.filter(({ name }) => name !== 'cursor');
  if (free.length === 0) return none;
  const readSchema = (parameter: JsonObject) => [String(parameter['name']), parameter['schema']] as const;
  const record = Object.fromEntries(
    free.map(readSchema).map(([name, schema]) => [name, values.right(schema, name)] as const),
  );
  const right = fc.record(record, { requiredKeys: [] });
  const faults = free.map(readSchema).flatMap(([name, schema]) => {
    const fault = values.spoilt(schema, name)?.filter(isNoDigits);
    return fault ? [fault.map((value) => ({ [name]: value }))] : [];
  });
  const wrong = fc.oneof(...faults, ...(isOfOne ? [] : [fc.constantFrom<object>(...UNKNOWN)]));
  const together = fc.tuple(right, wrong).map(([some, fault]) => encodeQuery({ ...some, ...fault }));
  return fc.oneof(rightly(right.map(encodeQuery)), wrongly(together));
}

const UNKNOWN = [{ cursor: 'bm8' }, { cursor: '' }, { nobody_knows_this: 1 }, { 'limit[]': 1 }];

/** In a query everything is text: digits are a number there, and of a list nothing remains. */
const isNoDigits = (value: unknown): boolean =>
  typeof value === 'number' ? value < 1 || value > 100 : typeof value === 'string' && !/^\d+$/.test(value);

/** A list is written `name=a&name=b`, an object `name[key]=value`. */
function encodeQuery(query: object): string {
  const encode = (text: string) =>
    encodeURIComponent(text.toWellFormed()).replaceAll('%7B', '{').replaceAll('%7D', '}');
  const pairs = Object.entries(query).flatMap(([name, value]: [string, unknown]) => {
    if (Array.isArray(value)) return value.map((item) => `${name}=${encode(String(item))}`);
    if (!isObject(value)) return [`${name}=${encode(String(value))}`];
    return Object.entries(value).map(([key, part]) => `${name}[${encode(key)}]=${encode(String(part))}`);
  });
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

function generateBody(values: Values, operation: JsonObject): fc.Arbitrary<Part> {
  const described = operation['requestBody'];
  if (!isObject(described)) return none;
  const schema = (described['content'] as JsonObject)['application/json'] as JsonObject;
  const right = values.right(schema['schema']);
  const text = right.map((value) => JSON.stringify(value));
  const broken = fc.oneof(
    fc.tuple(text, fc.nat(500)).map(([whole, at]) => whole.slice(0, 1 + (at % (whole.length - 1)))),
    text.map((whole) => whole.replace('{', '{"__proto__":{"x":1},')),
    text.map((whole) => `${whole}]`),
    fc.constantFrom('NaN', '"', '['.repeat(50_000), `{"a":"${'x'.repeat(300_000)}"}`, '\u0000'),
  );
  const spoilt = (values.spoilt(schema['schema']) ?? right).map((value) => JSON.stringify(value));
  const left = described['required'] === true ? wrongly(fc.constant('')) : rightly(fc.constant(''));
  return fc.oneof(
    { weight: 8, arbitrary: rightly(text) },
    { weight: 8, arbitrary: wrongly(spoilt) },
    { weight: 3, arbitrary: wrongly(broken) },
    { weight: 1, arbitrary: left },
  );
}

function generateKey(operation: JsonObject): fc.Arbitrary<string | undefined> {
  const strange = ['same', 'k'.repeat(255), 'k'.repeat(256), '__proto__', "'; drop table", '"', '%00'];
  const takesOne = JSON.stringify(operation['parameters'] ?? []).includes('IdempotencyKey');
  const given = fc.oneof(fc.constantFrom(...strange), fc.uuid());
  return fc.oneof(
    { weight: takesOne ? 1 : 9, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: given },
  );
}
