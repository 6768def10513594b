import type { JsonObject } from '@gp/reference';

type Operation = JsonObject & { readonly parameters?: readonly JsonObject[] };
type Description = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly parameters: Readonly<Record<string, JsonObject>> };
};

/** Returns a table of the methods of a client, with what each does by the description. */
export function describeOperations(description: JsonObject): string {
  const { paths, components } = description as unknown as Description;
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  const rows = operations.map(({ operationId, summary, requestBody, parameters = [] }) => {
    const all = parameters.map((each) =>
      typeof each['$ref'] === 'string' ? components.parameters[each['$ref'].split('/').at(-1) ?? ''] : each,
    );
    const ids = all.filter((each) => each?.['in'] === 'path').map((each) => String(each?.['name']));
    const isFiltered = all.some((each) => each?.['in'] === 'query');
    const given = [...ids, ...(requestBody ? ['body'] : []), ...(isFiltered ? ['query'] : [])];
    return `| \`${String(operationId)}(${given.join(', ')})\` | ${String(summary)} |`;
  });
  return ['| method | does |', '| --- | --- |', ...rows].join('\n');
}
