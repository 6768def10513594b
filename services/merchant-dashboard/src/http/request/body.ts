import { readJson, type HttpRequest } from '@gp/http';

/** The body as its reader takes it; `validation_error` names what is wrong. */
export function readBody<T>(request: HttpRequest, read: (entered: unknown) => T): T {
  return read(readJson(request));
}

/** The same where a body may be left out. */
export function readOptionalBody<T>(request: HttpRequest, read: (entered: unknown) => T): T {
  return read(readJson(request) ?? {});
}
