/** What the page knows of an operation: read from openapi.json, which is fetched with the first form. */

export type Schema = {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly items?: Schema;
  readonly $ref?: string;
};
export type Parameter = {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
  readonly example?: string;
};
export type Example = { readonly summary: string; readonly value: unknown };
export type Operation = {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly body?: { readonly isRequired: boolean; readonly examples: readonly Example[] };
};

type Described = {
  readonly operationId: string;
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: {
    readonly required?: boolean;
    readonly content: Readonly<Record<string, { readonly examples?: Readonly<Record<string, Example>> }>>;
  };
};
type Description = { readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>> };

/** Returns the operations of the description by their ids. */
export function readOperations(description: Description): ReadonlyMap<string, Operation> {
  const resolve = <T>(part: T | { readonly $ref: string }): T => {
    if (typeof part !== 'object' || part === null || !('$ref' in part)) return part;
    let found: unknown = description;
    for (const step of part.$ref.split('/').slice(1)) found = (found as Record<string, unknown>)[step];
    return found as T;
  };
  const all = Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Operation => {
      const { operationId: id, parameters = [], requestBody } = operation;
      const resolved = parameters.map((parameter) => {
        const full = resolve<Parameter>(parameter);
        return { ...full, schema: resolve<Schema>(full.schema) };
      });
      const examples = Object.values(requestBody?.content['application/json']?.examples ?? {});
      return {
        id,
        method: method.toUpperCase(),
        path,
        parameters: resolved,
        ...(requestBody && { body: { isRequired: requestBody.required !== false, examples } }),
      };
    }),
  );
  return new Map(all.map((operation) => [operation.id, operation]));
}

/** Whether a parameter is several pairs, such as `metadata[table]=7`. */
export const isPairs = ({ schema }: Parameter): boolean => schema.type === 'object';
/** Whether a parameter may be given several times. */
export const isList = ({ schema }: Parameter): boolean => schema.type === 'array';
