import { formats } from '@gp/contracts';
import { validationError, type AppError } from '@gp/errors';
import { isStorable } from '@gp/money';
import { Ajv, type ErrorObject, type ValidateFunction } from '@gp/bundled/ajv';
import type { Static, TSchema } from '@gp/bundled/typebox';

// The schemas are our own.
const ajv = new Ajv({ strict: true, allErrors: false, validateSchema: false, meta: false, verbose: true });
// What is wrong with a text that does not fit the pattern beside it, in words: `must be an amount such as 12.50`.
ajv.addKeyword('misfit');
for (const [name, isOne] of Object.entries(formats)) ajv.addFormat(name, isOne);

/**
 * Returns a parser of user input. The parser throws `validation_error` naming the first invalid field. Text that
 * cannot be stored is invalid, whatever the schema allows. The schema is compiled with the first input.
 */
export function reader<S extends TSchema>(schema: S): (entered: unknown) => Static<S> {
  let validate: ValidateFunction | undefined;
  return (entered) => {
    validate ??= ajv.compile(schema);
    if (!validate(entered)) throw fault(validate.errors?.[0]);
    refuseUnstorable(entered, []);
    return entered as Static<S>;
  };
}

/** Returns a parser of a URL's query, where numbers are digits and a name may occur once. */
export function queryReader<S extends TSchema>(schema: S): (query: URLSearchParams) => Static<S> {
  const read = reader(schema);
  const { properties = {} } = schema as { properties?: Record<string, { type?: unknown }> };
  return (query) => {
    const values = new Map<string, string | number>();
    for (const [name, text] of query) {
      if (values.has(name)) throw validationError(name.slice(0, 64).toWellFormed(), 'must be given once');
      const isInteger = Object.hasOwn(properties, name) && properties[name]?.type === 'integer';
      values.set(name, isInteger && /^-?\d{1,16}$/.test(text) ? Number(text) : text);
    }
    return read(Object.fromEntries(values));
  };
}

/** Checks a value that its schema has accepted, so its nesting is bounded. */
function refuseUnstorable(value: unknown, path: readonly string[]): void {
  if (typeof value === 'string' && !isStorable(value))
    throw validationError(path.join('.') || 'body', 'has characters that cannot be stored');
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) refuseUnstorable(inner, [...path, name]);
}

type Params = { missingProperty?: string; additionalProperty?: string; propertyName?: string };

function fault(error: ErrorObject | undefined): AppError {
  const { missingProperty, additionalProperty, propertyName }: Params = error?.params ?? {};
  const path = (error?.instancePath ?? '').split('/').slice(1);
  const named = (last?: string) => [...path, ...(last === undefined ? [] : [last])].join('.') || 'body';
  if (missingProperty !== undefined) return validationError(named(missingProperty), 'is required');
  if (additionalProperty !== undefined)
    return validationError(named(additionalProperty.slice(0, 64).toWellFormed()), 'is not a known field');
  if (propertyName !== undefined || error?.propertyName !== undefined)
    return validationError(named(), 'has a field that no gateway asks for');
  return validationError(named(), formatReason(error));
}

const findMisfit = (schema: object | undefined): string | undefined =>
  schema && 'misfit' in schema && typeof schema.misfit === 'string' ? schema.misfit : undefined;

function formatReason(error: ErrorObject | undefined): string {
  if (error?.keyword === 'pattern')
    return findMisfit(error.parentSchema) ?? 'has characters that cannot be stored, or none to see';
  if (error?.keyword === 'enum')
    return `must be one of ${(error.params as { allowedValues: unknown[] }).allowedValues.join(', ')}`;
  if (error?.keyword === 'format') return `must be a valid ${(error.params as { format: string }).format}`;
  if (error?.keyword === 'minLength')
    return `must have at least ${(error.params as { limit: number }).limit} characters`;
  return error?.message ?? 'is not valid';
}
