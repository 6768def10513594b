import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { closed } from './closed-schema.ts';

type JsonObject = Readonly<Record<string, unknown>>;

/** A request and its response; header names in lower case. */
export type Exchange = {
  readonly method: string;
  /** With or without a query. */
  readonly path: string;
  readonly request?: unknown;
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Text where the description declares no JSON: what was read of a stream. */
  readonly body: unknown;
};

/** Checks of requests, responses and events against the published description of the API. */
export type ApiContract = {
  /**
   * Throws unless the description declares the response: its status, code, headers and every field of its body,
   * none more. When the request succeeded its body must be a declared one too.
   */
  assertExchange(exchange: Exchange): void;
  /** The same for the delivery of an event. */
  assertEvent(headers: Exchange['headers'], body: unknown): void;
};

/** Compiles the checks of an OpenAPI 3.1 document. */
export function compileApiContract(document: JsonObject): ApiContract {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(closed(document) as JsonObject, 'openapi');
  const validators = new Map<string, ValidateFunction>();
  const known = listHeaders(document);
  const templates = Object.keys(document['paths'] as JsonObject).map(
    (template) => [template, buildPattern(template)] as const,
  );

  function assertValid(pointer: string, value: unknown, what: string): void {
    const validate = validators.get(pointer) ?? ajv.compile({ $ref: `openapi#${pointer}` });
    validators.set(pointer, validate);
    if (validate(value)) return;
    throw new Error(
      `${what} breaks the contract: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(value)}`,
    );
  }

  /** Follows references; returns the pointer of the target. */
  function place(pointer: string): { pointer: string; found: JsonObject } | undefined {
    let found: unknown = document;
    for (const part of pointer.split('/').slice(1))
      found = isObject(found) ? found[part.replaceAll('~1', '/').replaceAll('~0', '~')] : undefined;
    if (!isObject(found)) return undefined;
    return typeof found['$ref'] === 'string' ? place(found['$ref'].slice(1)) : { pointer, found };
  }

  function assertHeaders(pointer: string, given: Exchange['headers'], what: string): void {
    const declared = Object.keys(place(`${pointer}/headers`)?.found ?? {});
    for (const name of declared) {
      const header = place(`${pointer}/headers/${name}`);
      const value = given[name.toLowerCase()];
      if (value === undefined && header?.found['required'] === true) throw new Error(`${what} lacks ${name}`);
      if (value !== undefined && header)
        assertValid(`${header.pointer}/schema`, typed(value, header.found), `${name} of ${what}`);
    }
    for (const name of known)
      if (given[name.toLowerCase()] !== undefined && !declared.includes(name))
        throw new Error(`${what} has ${name}, which is not declared`);
  }

  function assertCode(operation: string, status: number, body: unknown, what: string): void {
    const codes = place(`${operation}/x-error-codes`)?.found[status];
    if (!Array.isArray(codes) || !isObject(body)) return;
    if (!codes.includes(body['code']))
      throw new Error(`${what} has the code ${String(body['code'])}, which is not declared`);
  }

  return {
    assertExchange({ method, path, request, status, headers, body }) {
      const template = templates.find(([, pattern]) => pattern.test(path))?.[0];
      const operation = template && `/paths/${escapedPart(template)}/${method.toLowerCase()}`;
      const what = `${method} ${template ?? path} ${status}`;
      if (operation === undefined || !place(operation)) {
        if (status < 400) throw new Error(`${what} is served and not documented`);
        assertValid('/components/schemas/ErrorResponse', body, what);
        return;
      }
      const response = place(`${operation}/responses/${status}`);
      if (!response) throw new Error(`${what} is not declared: ${JSON.stringify(body)}`);
      assertHeaders(response.pointer, headers, what);
      const [type = 'application/json'] = Object.keys(place(`${response.pointer}/content`)?.found ?? {});
      assertValid(`${response.pointer}/content/${escapedPart(type)}/schema`, body, what);
      assertCode(operation, status, body, what);
      const asked = place(`${operation}/requestBody/content/application~1json/schema`);
      if (status < 300 && request !== undefined && asked)
        assertValid(`${operation}/requestBody/content/application~1json/schema`, request, `body of ${what}`);
    },

    assertEvent(headers, body) {
      const type = String(headers['service-event-type']);
      const webhook = `/webhooks/${type}/post`;
      const { found } = place(webhook) ?? {};
      if (!found) throw new Error(`the event ${type} is not documented`);
      for (const [index, { name }] of (found['parameters'] as { name: string }[]).entries())
        assertValid(
          `${webhook}/parameters/${index}/schema`,
          headers[name.toLowerCase()],
          `${name} of ${type}`,
        );
      assertValid(`${webhook}/requestBody/content/application~1json/schema`, body, `event ${type}`);
    },
  };
}

const buildPattern = (template: string): RegExp =>
  new RegExp(`^${template.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/?]+')}(?:\\?|$)`);

const escapedPart = (text: string): string => text.replaceAll('~', '~0').replaceAll('/', '~1');

/** A header is text, but its value may be a number. */
function typed(value: string | readonly string[], header: JsonObject): unknown {
  const text = [value].flat().join(', ');
  const isNumber = isObject(header['schema']) && header['schema']['type'] === 'integer';
  return isNumber && /^\d+$/.test(text) ? Number(text) : text;
}

/** Returns the names of all headers in the document. */
function listHeaders(document: JsonObject): ReadonlySet<string> {
  const names = new Set<string>();
  const walk = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(walk);
    if (!isObject(value)) return;
    if (isObject(value['headers']) && 'description' in value)
      Object.keys(value['headers']).forEach((name) => names.add(name));
    Object.values(value).forEach(walk);
  };
  walk(document['paths']);
  return names;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
