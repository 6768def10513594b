import { isObject, type JsonObject } from '@gp/reference';

const REF = '#/components/schemas/';

/** Returns the components of the document as TypeScript, and one signature per operation. */
export function typesFrom(document: JsonObject): string {
  const { schemas } = document['components'] as { schemas: Record<string, JsonObject> };
  const types = Object.entries(schemas).map(
    ([name, schema]) => `${comment(schema['description'])}export type ${name} = ${renderType(schema)};\n`,
  );
  const paths = Object.entries(document['paths'] as Record<string, Record<string, JsonObject>>);
  const operations = paths.flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => !isStream(operation))
      .map(([method, operation]) => renderOperation(method, path, operation)),
  );
  return [
    '// Written by `npm run generate` from openapi.json.\n',
    ...types,
    renderChoices(schemas),
    renderErrorCodes(paths.flatMap(([, methods]) => Object.values(methods))),
    '/** What each operation takes and answers. */\nexport type Operations = {',
    ...operations.map(({ type }) => type),
    '};\n',
    '/** How each operation is called. */\nexport const operations = {',
    ...operations.map(({ value }) => value),
    '} as const;\n',
  ].join('\n');
}

/** Renders the values of every type that is a choice, for programs that check or list them. */
function renderChoices(schemas: Readonly<Record<string, JsonObject>>): string {
  const choices = Object.entries(schemas).flatMap(([name, schema]) =>
    Array.isArray(schema['enum']) ? [`${name}: ${JSON.stringify(schema['enum'])},`] : [],
  );
  return [
    '/** The values of each type that is a choice, by its name; a later release may add some. */',
    'export const choices = {',
    ...choices,
    '} as const;\n',
  ].join('\n');
}

/** Renders the type of every code that an operation answers with; the document lists them by status. */
function renderErrorCodes(operations: readonly JsonObject[]): string {
  const codes = operations.flatMap((operation) =>
    Object.values(operation['x-error-codes'] as Readonly<Record<string, readonly string[]>>).flat(),
  );
  const choices = [...new Set(codes)].sort().map((code) => JSON.stringify(code));
  return `/** Every code that an error of an operation may have; a later release may add some. */\nexport type ErrorCode = ${choices.join(' | ')};\n`;
}

/** A stream is no method: the client reads it with a function of its own. */
const isStream = ({ responses }: JsonObject): boolean =>
  JSON.stringify(responses).includes('text/event-stream');

function renderOperation(method: string, path: string, operation: JsonObject) {
  const id = String(operation['operationId']);
  const parameters = (operation['parameters'] ?? []) as readonly JsonObject[];
  const query = parameters.filter((parameter) => parameter['in'] === 'query');
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const isIdempotent = parameters.some(({ $ref }) => String($ref).endsWith('/IdempotencyKey'));
  const [success] = Object.entries(operation['responses'] as JsonObject).filter(([status]) =>
    status.startsWith('2'),
  );
  const body = operation['requestBody'] as JsonObject | undefined;
  const parts = [
    `path: [${names.map((name) => `${name}: string`).join(', ')}]`,
    `query: ${query.length > 0 ? `{ ${query.map(queryField).join('; ')} }` : 'undefined'}`,
    `body: ${body ? renderType(findSchema(body)) : 'undefined'}${body?.['required'] === false ? ' | undefined' : ''}`,
    `answer: ${renderType(findSchema(success?.[1]))}`,
  ];
  const value = {
    method: method.toUpperCase(),
    path,
    hasQuery: query.length > 0,
    hasBody: body !== undefined,
    isIdempotent,
  };
  return {
    type: `${comment(operation['summary'])}${id}: { ${parts.join('; ')} };`,
    value: `${id}: ${JSON.stringify(value)},`,
  };
}

const queryField = ({ name, required, schema }: JsonObject): string =>
  `${String(name)}${required === true ? '' : '?'}: ${renderType(schema)}`;

function findSchema(part: unknown): unknown {
  const content =
    isObject(part) && isObject(part['content']) ? part['content']['application/json'] : undefined;
  return isObject(content) ? content['schema'] : undefined;
}

function renderType(schema: unknown): string {
  if (!isObject(schema)) return 'unknown';
  const { $ref, const: only, enum: choices, oneOf, anyOf, type } = schema;
  if (typeof $ref === 'string') return $ref.slice(REF.length);
  if (only !== undefined) return JSON.stringify(only);
  if (Array.isArray(choices)) return choices.map((choice) => JSON.stringify(choice)).join(' | ');
  const either = oneOf ?? anyOf;
  if (Array.isArray(either)) return `(${either.map(renderType).join(' | ')})`;
  return type === undefined
    ? 'unknown'
    : [type]
        .flat()
        .map((name) => typeNamed(name as string, schema))
        .join(' | ');
}

function typeNamed(name: string, schema: JsonObject): string {
  if (name === 'array') return `readonly (${renderType(schema['items'])})[]`;
  if (name === 'object') return objectType(schema);
  return name === 'integer' ? 'number' : name;
}

function objectType({ properties, required = [], additionalProperties }: JsonObject): string {
  if (!isObject(properties)) return `Readonly<Record<string, ${renderType(additionalProperties)}>>`;
  const needed = required as readonly string[];
  const fields = Object.entries(properties).map(([name, part]) => {
    const description = isObject(part) ? part['description'] : undefined;
    return `${comment(description)}readonly ${name}${needed.includes(name) ? '' : '?'}: ${renderType(part)};`;
  });
  return `{\n${fields.join('\n')}\n}`;
}

const comment = (text: unknown): string =>
  typeof text === 'string' ? `/** ${text.replaceAll('*/', '*\\/')} */\n` : '';
