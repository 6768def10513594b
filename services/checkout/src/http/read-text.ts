import { AppError, validationError } from '@gp/errors';
import { readJson, type HttpRequest } from '@gp/http';

/** Returns a text of a JSON body; throws `validation_error` for a body without it. */
export function readText(request: HttpRequest, name: string): string {
  const body = readJson(request);
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
  if (!isObject)
    throw new AppError('validation_error', { message: 'Validation error: the body must be an object' });
  const value = (body as Record<string, unknown>)[name];
  if (typeof value !== 'string') throw validationError(name, 'is required and must be a string');
  return value;
}
