import { readJson, type HttpRequest } from '@gp/http';

/** Returns the body as its parser returns it; `validation_error` names the invalid field. */
export function readBody<T>(request: HttpRequest, read: (entered: unknown) => T): T {
  return read(readJson(request));
}

/** Does the same where the body is optional. */
export function readOptionalBody<T>(request: HttpRequest, read: (entered: unknown) => T): T {
  return read(readJson(request) ?? {});
}
