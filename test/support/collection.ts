import { createRequire } from 'node:module';
import vm from 'node:vm';
import { apiContract } from './api-contract.ts';

/** An answer to a request of a collection. */
export type Answered = {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly body: Record<string, unknown>;
  readonly headers: Readonly<Record<string, string>>;
};

/** A request of a collection. */
export type Item = { readonly name: string; readonly request: Json; readonly events: List<Script> };

type Json = { toJSON(): object };
type List<T> = { all(): readonly T[] };
type Folder = { readonly name: string; readonly items: List<Item> };
type Variable = { readonly key: string; readonly value: string };
/** The parts of the vendor's library that are used here; it names its types in no way that a compiler finds. */
type Sdk = {
  readonly Collection: new (definition: object) => {
    readonly variables: List<Variable>;
    readonly events: List<Script>;
    readonly items: List<Folder>;
    readonly auth: Json;
  };
  readonly Request: new (definition: object) => {
    readonly method: string;
    readonly url: { getHost(): string; getPathWithQuery(): string };
    readonly body?: { toString(): string };
    getHeaders(o: { enabled: boolean }): Record<string, string>;
  };
  readonly Property: { replaceSubstitutionsIn(part: object, variables: readonly object[]): object };
  readonly VariableList: new (parent: undefined, variables: readonly Variable[]) => object;
};
const sdk = createRequire(import.meta.url)('postman-collection') as Sdk;

type Script = { readonly listen: string; readonly script: { readonly exec?: string[] } };

/**
 * Opens a collection as programs do that import it: the vendor's own library reads it and puts in the variables, and its
 * scripts run. `variables` are what a reader sets by hand. Each answer is judged by openapi.json.
 */
export function openCollection(text: string, variables: Readonly<Record<string, string>>) {
  const collection = new sdk.Collection(JSON.parse(text) as object);
  const values = new Map(collection.variables.all().map(({ key, value }) => [key, value] as const));
  for (const [name, value] of Object.entries(variables)) {
    if (!values.has(name)) throw new Error(`the collection has no variable ${name}`);
    values.set(name, value);
  }
  const collectionVariables = {
    get: (name: string) => values.get(name),
    set(name: string, value: string) {
      if (name !== 'yesterday' && name !== 'tomorrow' && !values.has(name))
        throw new Error(`a script sets ${name}, which the collection does not have`);
      values.set(name, value);
    },
  };
  const run = (scripts: readonly Script[], listen: string, response?: object): void => {
    for (const { listen: moment, script } of scripts)
      if (moment === listen)
        vm.runInNewContext((script.exec ?? []).join('\n'), { pm: { collectionVariables, response } });
  };
  const fill = (part: Json): object => {
    const list = [...values].map(([key, value]) => ({ key, value }));
    return sdk.Property.replaceSubstitutionsIn(part.toJSON(), [new sdk.VariableList(undefined, list)]);
  };

  async function send(item: Item): Promise<Answered> {
    run(collection.events.all(), 'prerequest');
    const request = new sdk.Request(fill(item.request));
    const { bearer } = fill(collection.auth) as { bearer: readonly Variable[] };
    const token = bearer.find(({ key }) => key === 'token')?.value ?? '';
    const path = request.url.getPathWithQuery();
    const body = request.body?.toString();
    const answer = await fetch(request.url.getHost() + path, {
      method: request.method,
      headers: { ...request.getHeaders({ enabled: true }), authorization: `Bearer ${token}` },
      ...(body && { body }),
    });
    const answered: Answered = {
      name: item.name,
      method: request.method,
      path,
      status: answer.status,
      headers: Object.fromEntries(answer.headers),
      body: (await answer.json()) as Answered['body'],
    };
    (await apiContract()).assertExchange({
      ...answered,
      ...(body && { request: JSON.parse(body) as unknown }),
    });
    run(item.events.all(), 'test', {
      code: answered.status,
      json: () => answered.body,
    });
    return answered;
  }

  const listFolder = (name: string): readonly Item[] => {
    const folder = collection.items.all().find((each) => each.name === name);
    if (!folder) throw new Error(`the collection has no folder ${name}`);
    return folder.items.all();
  };
  return {
    folders: collection.items.all().map(({ name }) => name),
    listFolder,
    find(start: string): Item {
      const all = collection.items.all().flatMap(({ name }) => listFolder(name));
      const found = all.find(({ name }) => name.startsWith(start));
      if (!found) throw new Error(`the collection has no request ${start}`);
      return found;
    },
    send,
  };
}
export type OpenCollection = ReturnType<typeof openCollection>;
