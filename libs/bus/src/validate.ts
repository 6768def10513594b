import { addFormats, Ajv, type AnySchema, type ErrorObject, type ValidateFunction } from '@gp/bundled/ajv';
import type { StreamContract } from '@gp/contracts';
import { AppError } from '@gp/errors';
import { matchesAny } from './subjects.ts';

/** Checks a value against a contract's schema; returns the fault, or undefined when there is none. */
export type Check = (value: unknown) => string | undefined;

// The schemas are our own, and a test compiles each of them under the same rules.
const ajv = new Ajv({ strict: true, allErrors: false, validateSchema: false, meta: false });
addFormats(ajv, ['uuid', 'date-time', 'date', 'email', 'uri']);

const compiled = new WeakMap<object, Check>();

/**
 * Returns the check of a schema. It is compiled with the first value, once a process: what is served and seldom called costs
 * no start.
 */
export function compileCheck(schema: AnySchema & object): Check {
  const known = compiled.get(schema);
  if (known) return known;
  let validate: ValidateFunction | undefined;
  const check: Check = (value) => {
    validate ??= ajv.compile(schema);
    return validate(value) ? undefined : describe(validate.errors);
  };
  compiled.set(schema, check);
  return check;
}

/** Names the place and the rule, never the offending value: it may be personal. */
function describe(errors: readonly ErrorObject[] | null | undefined): string {
  const first = errors?.[0];
  return first ? `${first.instancePath || '/'} ${first.message ?? first.keyword}` : 'does not match';
}

/**
 * Builds the error a peer gets for a message that breaks its contract: a bug between services, not the client's.
 */
export function contractBroken(subject: string, fault: string): AppError {
  return new AppError('validation_error', {}, { cause: new Error(`${subject}: ${fault}`) });
}

/**
 * Checks messages by subject, with the first contract that filters for it. A subject without a contract passes.
 */
export function messageChecks(
  contracts: readonly Pick<StreamContract<unknown>, 'filters' | 'payload'>[],
): (subject: string, payload: unknown) => string | undefined {
  return (subject, payload) => {
    const found = contracts.find(({ filters }) => matchesAny(filters, subject));
    return found && compileCheck(found.payload)(payload);
  };
}
