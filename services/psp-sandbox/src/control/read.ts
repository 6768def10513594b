import { pspCodes, type PspCode } from '@gp/gateway-registry';
import { validationError } from '@gp/errors';
import { readJson, type HttpRequest } from '@gp/http';

export type Json = Readonly<Record<string, unknown>>;

/** The JSON object of a control call. */
export function readObject(request: HttpRequest): Json {
  const value = readJson(request, (text) =>
    JSON.parse(text, (_name, part: unknown) => {
      if (typeof part === 'string' && (part.includes('\0') || !part.isWellFormed()))
        throw new SyntaxError('text');
      return part;
    }),
  );
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw validationError('body', 'must be a JSON object');
  }
  return value as Json;
}

export function readGateway(value: unknown): PspCode {
  const found = pspCodes.find((code) => code === value);
  if (found === undefined) throw validationError('gateway', `must be one of ${pspCodes.join(', ')}`);
  return found;
}

export function readText(body: Json, name: string, maxLength = 200): string {
  const value = body[name];
  if (typeof value !== 'string' || value === '' || value.length > maxLength) {
    throw validationError(name, `must be a text of 1 to ${maxLength} characters`);
  }
  return value;
}

export function readInteger(value: unknown, name: string, min: number, max: number): number {
  if (!Number.isInteger(value) || (value as number) < min || (value as number) > max) {
    throw validationError(name, `must be an integer from ${min} to ${max}`);
  }
  return value as number;
}

export function readAddress(body: Json, name: string): string {
  const url = URL.parse(readText(body, name, 2_000));
  if (url === null || !/^https?:$/.test(url.protocol))
    throw validationError(name, 'must be an http(s) address');
  return url.href;
}
