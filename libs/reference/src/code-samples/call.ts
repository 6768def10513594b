import { isObject, type JsonObject } from '../json.ts';

/** A request that a sample makes: the operation with the first of its examples. */
export type Call = {
  readonly id: string;
  readonly tag: string;
  /** In capitals. */
  readonly method: string;
  /** With placeholders such as `{id}`. */
  readonly path: string;
  readonly ids: readonly { readonly name: string; readonly value: string }[];
  readonly body?: { readonly type: string; readonly value: unknown };
  /** Where the operation takes one: every operation has its own, because a key names one action. */
  readonly idempotencyKey?: string;
  /** Whether the operation takes parameters beside the ids of its path. */
  readonly hasParameters: boolean;
  readonly isStream: boolean;
};

/** The variable of the environment that holds the key, in every language. */
export const KEY = 'GROUP_PAYMENTS_KEY';
/** Stands for the address of an installation until the document is served. */
export const BASE = '{base_url}';

/** `createGroupPayment` and `_` → `create_group_payment`. */
export const splitName = (name: string, separator: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => separator + letter.toLowerCase());

/** Returns what a sample of an operation of the document requests. */
export function readCall(
  place: { readonly method: string; readonly path: string },
  operation: JsonObject,
): Call {
  const id = String(operation['operationId']);
  const parameters = (operation['parameters'] ?? []) as readonly JsonObject[];
  const inPath = parameters.filter((parameter) => parameter['in'] === 'path');
  const body = readBody(operation);
  const takesKey = parameters.some(({ $ref }) => $ref === '#/components/parameters/IdempotencyKey');
  return {
    id,
    tag: String((operation['tags'] as readonly string[])[0]),
    method: place.method.toUpperCase(),
    path: place.path,
    ids: inPath.map(({ name, example }) => ({ name: String(name), value: String(example) })),
    ...(body && { body }),
    ...(takesKey && { idempotencyKey: `order-4711-${splitName(id, '-')}` }),
    hasParameters: parameters.length > inPath.length,
    isStream: JSON.stringify(operation['responses']).includes('"text/event-stream"'),
  };
}

function readBody({ requestBody }: JsonObject): Call['body'] {
  if (!isObject(requestBody)) return undefined;
  const { schema, examples } =
    (requestBody['content'] as Record<string, JsonObject>)['application/json'] ?? {};
  const [example] = Object.values(examples as Record<string, JsonObject>);
  const { $ref } = schema as { $ref: string };
  return { type: $ref.split('/').at(-1) ?? '', value: example?.['value'] };
}

/** Returns the path with the ids of the example. */
export const fillPath = ({ path, ids }: Call): string =>
  ids.reduce((filled, { name, value }) => filled.replace(`{${name}}`, value), path);
