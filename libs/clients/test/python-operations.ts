import { readFile } from 'node:fs/promises';

type Parameter = { readonly name: string; readonly in: 'path' | 'query' | 'header' };
type Operation = {
  readonly operationId: string;
  readonly tags: readonly [string];
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: {
    readonly content: { readonly 'application/json': { readonly schema: { readonly $ref: string } } };
  };
};
type Description = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly parameters: Readonly<Record<string, Parameter>> };
};

/** Words of Python, to whose names the generator adds an underscore. */
const RESERVED: readonly string[] = ['from', 'type'];

/** Returns a table of the operations of a description as the client for Python has them: chapter, function, arguments. */
export async function describePythonOperations(file: string): Promise<string> {
  const { paths, components } = JSON.parse(await readFile(file, 'utf8')) as Description;
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  const rows = operations.map((operation) => {
    const parameters = (operation.parameters ?? []).map((each) =>
      '$ref' in each ? components.parameters[lastPart(each.$ref)] : each,
    );
    const names = (place: Parameter['in']) =>
      parameters.flatMap((each) => (each?.in === place ? [toName(each.name)] : []));
    const body = operation.requestBody?.content['application/json'].schema.$ref;
    const given = [
      ...names('path'),
      ...(body === undefined ? [] : [`body=${lastPart(body)}`]),
      ...names('query'),
      ...names('header'),
    ];
    return `| \`${toModule(operation.tags[0])}\` | \`${toName(operation.operationId)}\` | ${given.map((name) => `\`${name}\``).join(', ')} |`;
  });
  return ['| chapter | operation | arguments |', '| --- | --- | --- |', ...rows].join('\n');
}

const lastPart = (reference: string): string => reference.split('/').at(-1) ?? '';

const toModule = (tag: string): string => tag.toLowerCase().replaceAll(' ', '_');

/** `createGroupPayment` → `create_group_payment`, `Idempotency-Key` → `idempotency_key`, `type` → `type_`. */
function toName(name: string): string {
  const words = name
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toLowerCase();
  return RESERVED.includes(words) ? `${words}_` : words;
}
