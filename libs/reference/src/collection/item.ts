import { idsInExamples, idSources, nameOfPathId } from '../id-sources.ts';
import { isObject, type JsonObject } from '../json.ts';

/** One request of a collection. */
export type Item = { readonly name: string; readonly request: JsonObject; readonly [part: string]: unknown };

type Place = { readonly method: string; readonly path: string; readonly operation: JsonObject };
type Example = { readonly summary: string; readonly value: unknown };

/** Days in the examples, and the variables that stand for them. */
const DAYS: readonly [day: RegExp, variable: string][] = [
  [/2029-12-31(?=T)/g, '{{yesterday}}'],
  [/2030-01-01(?=T)/g, '{{tomorrow}}'],
];

/** Returns the requests of an operation: one for each example of its body, or one without a body. */
export function buildItems(place: Place, shared: Readonly<Record<string, JsonObject>>): Item[] {
  const examples = listExamples(place.operation);
  const summary = String(place.operation['summary']);
  if (examples.length === 0) return [buildItem(place, summary, shared)];
  return examples.map((example) =>
    buildItem(
      place,
      examples.length === 1 ? summary : `${summary}: ${example.summary}`,
      shared,
      writeBody(example.value),
    ),
  );
}

function listExamples({ requestBody }: JsonObject): Example[] {
  if (!isObject(requestBody)) return [];
  const { examples } = (requestBody['content'] as Record<string, JsonObject>)['application/json'] ?? {};
  return isObject(examples) ? (Object.values(examples) as Example[]) : [];
}

function buildItem(
  { method, path, operation }: Place,
  name: string,
  shared: Readonly<Record<string, JsonObject>>,
  body?: string,
): Item {
  const parameters = ((operation['parameters'] ?? []) as readonly JsonObject[]).map((parameter) =>
    typeof parameter['$ref'] === 'string'
      ? (shared[parameter['$ref'].split('/').at(-1) ?? ''] ?? parameter)
      : parameter,
  );
  const setIds = writeIdScript(String(operation['operationId']));
  return {
    name,
    ...(setIds.length > 0 && {
      event: [{ listen: 'test', script: { type: 'text/javascript', exec: setIds } }],
    }),
    request: {
      method: method.toUpperCase(),
      description: String(operation['description']),
      header: [
        ...(body === undefined ? [] : [{ key: 'Content-Type', value: 'application/json' }]),
        ...parameters.filter((parameter) => parameter['in'] === 'header').map(writeHeader),
      ],
      url: buildUrl(path, parameters),
      ...(body !== undefined && { body: { mode: 'raw', raw: body, options: { raw: { language: 'json' } } } }),
    },
  };
}

/** Every sending has an Idempotency-Key of its own; other headers are there to be switched on. */
function writeHeader({ name, description, example }: JsonObject): JsonObject {
  const isKey = name === 'Idempotency-Key';
  return {
    key: name,
    value: isKey ? '{{$guid}}' : nameIds(String(example)),
    description,
    ...(!isKey && { disabled: true }),
  };
}

function buildUrl(path: string, parameters: readonly JsonObject[]): JsonObject {
  const steps = path.slice(1).replaceAll(/\{(\w+)\}/g, ':$1');
  const query = parameters
    .filter((parameter) => parameter['in'] === 'query')
    .map(({ name, schema, description }) => {
      const { type, default: usual } = schema as JsonObject;
      return {
        key: type === 'object' ? `${String(name)}[table]` : name,
        value: typeof usual === 'number' || typeof usual === 'string' ? String(usual) : '',
        ...(description !== undefined && { description }),
        disabled: true,
      };
    });
  const variable = parameters
    .filter((parameter) => parameter['in'] === 'path')
    .map(({ name, description }) => ({
      key: name,
      value: `{{${nameOfPathId(path, String(name))}}}`,
      description,
    }));
  return {
    raw: `{{base_url}}/${steps}`,
    host: ['{{base_url}}'],
    path: steps.split('/'),
    ...(query.length > 0 && { query }),
    ...(variable.length > 0 && { variable }),
  };
}

/** Writes a body with variables in the place of the ids and days of the example. */
function writeBody(value: unknown): string {
  let text = nameIds(JSON.stringify(value, null, 2));
  for (const [day, variable] of DAYS) text = text.replaceAll(day, variable);
  return text;
}

const nameIds = (text: string): string =>
  Object.entries(idsInExamples).reduce((named, [id, name]) => named.replaceAll(id, `{{${name}}}`), text);

/** Writes what keeps the ids of an answer for the requests after it. */
function writeIdScript(operation: string): string[] {
  const sources = Object.entries(idSources[operation] ?? {});
  if (sources.length === 0) return [];
  return [
    'const answer = pm.response.code < 300 ? pm.response.json() : {};',
    ...sources.map(([name, way]) => {
      const steps = way.map((step) => (/^\d+$/.test(step) ? `?.[${step}]` : `?.${step}`)).join('');
      return `if (answer${steps}) pm.collectionVariables.set('${name}', answer${steps});`;
    }),
  ];
}
