import type { LiveObject } from './api-server.ts';
import type { Manifest } from './helm.ts';
import { listPods, type PodSpec } from './pods.ts';

/** Secrets by name, and the texts of their keys. */
export type Secrets = ReadonlyMap<string, Readonly<Record<string, string>>>;

/** A key of a secret, by the variable or the file as which a pod reads it. */
export type Reference = { readonly as: string; readonly name: string; readonly key: string };

/** Every key that a pod reads, without those that it starts without. */
export function listReferences({ containers, ...spec }: PodSpec): Reference[] {
  const variables = containers.flatMap(({ env }) =>
    env.flatMap(({ name, valueFrom }) => {
      const ref = valueFrom?.secretKeyRef;
      return ref && ref.optional !== true ? [{ as: name, name: ref.name, key: ref.key }] : [];
    }),
  );
  const volumes = (spec['volumes'] ?? []) as readonly {
    readonly name: string;
    readonly secret?: {
      readonly secretName: string;
      readonly items: readonly { key: string; path: string }[];
    };
  }[];
  const files = volumes.flatMap(({ name, secret }) =>
    (secret?.items ?? []).map(({ key, path }) => ({ as: `${name}/${path}`, name: secret!.secretName, key })),
  );
  return [...variables, ...files];
}

/** Every key that a pod of these objects cannot start without, by its secret. */
export function listRequired(objects: readonly Manifest[]): Map<string, Set<string>> {
  const required = new Map<string, Set<string>>();
  for (const { spec } of listPods(objects))
    for (const { name, key } of listReferences(spec))
      required.set(name, (required.get(name) ?? new Set<string>()).add(key));
  return required;
}

/** Secrets that have these keys. */
export function fillSecrets(required: ReadonlyMap<string, ReadonlySet<string>>): Secrets {
  return new Map(
    [...required].map(([name, keys]) => [name, Object.fromEntries([...keys].map((key) => [key, 'eA==']))]),
  );
}

/** The secrets as a cluster has them, with more metadata where a test needs it. */
export function toLive(
  secrets: Secrets,
  describe: (name: string) => Readonly<Record<string, unknown>> = () => ({}),
): LiveObject[] {
  return [...secrets].map(([name, data]) => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, ...describe(name) },
    data,
  }));
}
