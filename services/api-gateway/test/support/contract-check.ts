import { Ajv, type ValidateFunction } from 'ajv';
import { publicApi } from '@gp/contracts';
import { catalogue, type ErrorCode } from '@gp/errors';
import { formats } from '../../src/http/formats.ts';

const ajv = new Ajv({ strict: true, allowUnionTypes: true });
for (const [name, validate] of Object.entries(formats)) ajv.addFormat(name, validate);

const operations: readonly publicApi.Operation[] = Object.values(publicApi.operations);
const compiled = new Map<unknown, ValidateFunction>();

/** Throws unless a response is what the public contract says of its operation, field by field. */
export function assertContract(method: string, path: string, status: number, body: unknown): void {
  const operation = operations.find((o) => o.method === method && pattern(o.path).test(path));
  if (!operation) return;
  const isSuccess = status === operation.success.status;
  if (!isSuccess && !answersOf(operation).has(`${status} ${codeIn(body)}`)) {
    throw new Error(`${operation.id} must not answer ${status}: ${JSON.stringify(body)}`);
  }
  const validate = checkOf(isSuccess ? operation.success.body : publicApi.ErrorResponse);
  if (!validate(body)) {
    throw new Error(`${operation.id} ${status} breaks the contract: ${ajv.errorsText(validate.errors)}`);
  }
}

function answersOf(operation: publicApi.Operation): ReadonlySet<string> {
  const codes: readonly ErrorCode[] = publicApi.errorCodesOf(operation);
  return new Set(codes.map((code) => `${catalogue[code].status} ${code}`));
}

const codeIn = (body: unknown): string => String((body as { code?: unknown } | null)?.code);

const pattern = (path: string): RegExp => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}(?:\\?|$)`);

function checkOf(schema: unknown): ValidateFunction {
  const validate = compiled.get(schema) ?? ajv.compile(closed(schema) as object);
  compiled.set(schema, validate);
  return validate;
}

/** The same schema, but a field it does not name is a fault: responses have exactly the documented fields. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const parts = Object.fromEntries(Object.entries(schema).map(([key, part]) => [key, closed(part)]));
  return 'properties' in parts ? { ...parts, additionalProperties: false } : parts;
}
