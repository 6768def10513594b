import { isObject, type JsonObject } from '@gp/reference';

/** Values of the path and body of an operation with which it succeeds. */
export type Asked = { readonly path?: Readonly<Record<string, string>>; readonly body?: unknown };

/** Query parameters whose values only an earlier answer can give: what is made up is refused, rightly. */
const GIVEN_BY_ANSWERS = ['cursor'];
/** Bounds the combinations of optional query parameters, which Specmatic tries all. */
const MOST_QUERY_PARAMETERS = 4;

/**
 * openapi.json with one pair of examples for each operation, both called `real`, from which Specmatic makes its requests:
 * schemas, statuses and headers stay as published. Operations without an example are left out.
 */
export function judgedDocument(published: JsonObject, asked: Readonly<Record<string, Asked>>): JsonObject {
  const { webhooks: _webhooks, ...document } = withoutLookaheads(published);
  const paths = document['paths'] as Record<string, Record<string, JsonObject>>;
  const kept = Object.entries(paths).map(([path, operations]) => {
    const told = Object.entries(operations).flatMap(([method, operation]) => {
      const how = asked[String(operation['operationId'])];
      return how ? [[method, paired(operation, how)] as const] : [];
    });
    return [path, Object.fromEntries(told)] as const;
  });
  const used = kept.filter(([, operations]) => Object.keys(operations).length > 0);
  const components = document['components'] as { responses: JsonObject };
  const responses = mapped(components.responses, withoutExamples);
  return { ...document, paths: Object.fromEntries(used), components: { ...components, responses } };
}

/** A copy without the patterns that look ahead: the automata of Specmatic cannot read these and never end. */
const withoutLookaheads = (published: JsonObject): JsonObject =>
  JSON.parse(JSON.stringify(published), (key, value: unknown) =>
    key === 'pattern' && typeof value === 'string' && value.includes('(?') ? undefined : value,
  ) as JsonObject;

function paired(operation: JsonObject, { path = {}, body }: Asked): JsonObject {
  const parameters = (operation['parameters'] ?? []) as readonly JsonObject[];
  const inQuery = parameters.filter(
    (p) => p['in'] === 'query' && !GIVEN_BY_ANSWERS.includes(String(p['name'])),
  );
  const others = parameters.filter((p) => p['in'] !== 'query');
  return {
    ...operation,
    parameters: [...others.map((p) => withValue(p, path)), ...inQuery.slice(0, MOST_QUERY_PARAMETERS)],
    ...(isObject(operation['requestBody']) && { requestBody: withExample(operation['requestBody'], body) }),
    responses: mapped(operation['responses'] as JsonObject, (response, status) =>
      status.startsWith('2') ? withExample(response) : withoutExamples(response),
    ),
  };
}

/** Returns a parameter with the given value as its example, where it is in the path. */
export function withValue(
  { example, ...parameter }: JsonObject,
  path: Readonly<Record<string, string>>,
): JsonObject {
  if (parameter['in'] !== 'path') return example === undefined ? parameter : { ...parameter, example };
  return { ...parameter, examples: { real: { value: path[String(parameter['name'])] } } };
}

/** Returns a body with one example: the value given, else the first one that is published. */
export function withExample(described: JsonObject, value?: unknown): JsonObject {
  return withExamples(described, (examples) => {
    const [first] = Object.values(examples);
    return { real: value === undefined ? first : { value } };
  });
}

const withoutExamples = (described: JsonObject): JsonObject => withExamples(described, () => ({}));

function withExamples(described: JsonObject, change: (examples: JsonObject) => JsonObject): JsonObject {
  const content = described['content'] as Record<string, JsonObject> | undefined;
  const json = content?.['application/json'];
  if (!json) return described;
  const { examples, ...rest } = json;
  const changed = change(isObject(examples) ? examples : {});
  const shown = Object.keys(changed).length > 0 ? { ...rest, examples: changed } : rest;
  return { ...described, content: { 'application/json': shown } };
}

function mapped(values: JsonObject, change: (value: JsonObject, key: string) => JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [key, isObject(value) ? change(value, key) : value]),
  );
}
