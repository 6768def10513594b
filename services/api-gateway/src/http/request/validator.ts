import { Ajv, type ErrorObject, type ValidateFunction } from '@gp/bundled/ajv';
import type { Static, TSchema } from '@gp/bundled/typebox';
import { formats, parseInstant } from '@gp/contracts';
import { AppError } from '@gp/errors';
import { readJson, type HttpRequest } from '@gp/http';
import { parseJsonExact, UnstorableJsonError } from '@gp/money';
import { toPlain, type Body, type Exact } from '../../domain/exact.ts';
import { toFaults, buildRefusal } from './faults.ts';
import { collectQuery } from './query.ts';

const ajv = new Ajv({
  ...{ strict: true, allErrors: true, discriminator: true, allowUnionTypes: true },
  // The schemas are our own.
  ...{ validateSchema: false, meta: false },
});
for (const [name, validate] of Object.entries(formats)) ajv.addFormat(name, validate);

/**
 * Reads the body of a request against its schema; rejects with every fault in it. With `isOptional`, a missing
 * body counts as `{}`.
 */
export function bodyReader<S extends TSchema>(
  schema: S,
  { isOptional = false } = {},
): (request: HttpRequest) => Body<Static<S>> {
  const check = checker(schema, 'body');
  return (request) => {
    const sent = readJson(request, parseBody);
    const exact = sent === undefined && isOptional ? {} : sent;
    const plain = toPlain(exact);
    check(plain);
    // `plain` was just validated against the schema, and `exact` differs from it only in how numbers are
    // represented.
    return { plain: plain as Static<S>, exact: exact as Exact<Static<S>> };
  };
}

/** The same for a body that may be left out: a missing body counts as one without fields. */
export function optionalBodyReader<S extends TSchema>(schema: S): (request: HttpRequest) => Body<Static<S>> {
  const read = bodyReader(schema);
  return (request) => read(request.rawBody.length > 0 ? request : { ...request, rawBody: NO_FIELDS });
}

/** Parses a body exactly, and says what is in one that is valid JSON and cannot be stored. */
function parseBody(text: string): unknown {
  try {
    return parseJsonExact(text);
  } catch (cause) {
    if (!(cause instanceof UnstorableJsonError)) throw cause;
    throw new AppError('invalid_json', { message: `the body has ${cause.message}` }, { cause });
  }
}

const NO_FIELDS = Buffer.from('{}');

/**
 * Reads a query against its schema: digits become integers where the schema says so, lists and pairs are collected, and
 * no other name may come twice. A span of time must not end before it begins.
 */
export function queryReader<S extends TSchema>(schema: S): (query: URLSearchParams) => Static<S> {
  const check = checker(schema, 'query');
  return (query) => {
    const values = collectQuery(query, schema);
    check(values);
    assertOrder(values);
    return values as Static<S>;
  };
}

/** The beginnings and ends of the spans that queries have. */
const SPANS = [
  ['created_after', 'created_before'],
  ['last_payment_after', 'last_payment_before'],
] as const;

/** Refuses a span of time that ends before it begins: its list would be empty for ever. */
function assertOrder(values: Record<string, unknown>): void {
  for (const [begin, end] of SPANS) {
    const [from, to] = [values[begin], values[end]].map((text) =>
      typeof text === 'string' ? parseInstant(text) : undefined,
    );
    if (from && to && from > to)
      throw buildRefusal([{ param: begin, reason: `must not be later than ${end}` }]);
  }
}

/** The schema is compiled with the first value: all of them together were a sixth of the CPU of a start. */
function checker(schema: TSchema, whole: string): (value: unknown) => void {
  let validate: ValidateFunction | undefined;
  return (value) => {
    if (value === undefined) throw buildRefusal([{ param: whole, reason: 'is required' }]);
    validate ??= ajv.compile(schema);
    if (!validate(value))
      throw buildRefusal(toFaults(validate.errors as readonly ErrorObject[], whole, value));
  };
}
