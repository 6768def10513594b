import { Ajv, type AnySchema, type ErrorObject, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import type { MessageContract } from '@gp/contracts';
import { AppError } from '@gp/errors';

/** Checks a value against a contract's schema; the answer is what is wrong with it, undefined when fine. */
export type Check = (value: unknown) => string | undefined;

const ajv = new Ajv({ strict: true, allErrors: false });
addFormats.default(ajv, ['uuid', 'date-time', 'date', 'email', 'uri']);

const compiled = new WeakMap<object, Check>();

/** The check of a schema, compiled once a process. */
export function checkOf(schema: AnySchema & object): Check {
  const known = compiled.get(schema);
  if (known) return known;
  const validate: ValidateFunction = ajv.compile(schema);
  const check: Check = (value) => (validate(value) ? undefined : describe(validate.errors));
  compiled.set(schema, check);
  return check;
}

/** Where and which rule, never the offending value: it may be personal. */
function describe(errors: readonly ErrorObject[] | null | undefined): string {
  const first = errors?.[0];
  return first ? `${first.instancePath || '/'} ${first.message ?? first.keyword}` : 'does not match';
}

/** The error a peer gets for a message that breaks its contract: a bug between services, not the client's. */
export function contractBroken(subject: string, fault: string): AppError {
  return new AppError('validation_error', {}, { cause: new Error(`${subject}: ${fault}`) });
}

/**
 * Checks messages by subject: exactly a contract's subject, or that subject followed by one more token
 * (the key of a fact). A subject without a contract passes.
 */
export function messageChecks(
  contracts: readonly Pick<MessageContract<unknown>, 'subject' | 'payload'>[],
): (subject: string, payload: unknown) => string | undefined {
  const bySubject = new Map(contracts.map((c) => [c.subject, c]));
  return (subject, payload) => {
    const contract = bySubject.get(subject) ?? bySubject.get(subject.slice(0, subject.lastIndexOf('.')));
    return contract && checkOf(contract.payload)(payload);
  };
}
