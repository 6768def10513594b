import type { ClusterSecrets } from './cluster-secrets.ts';
import { listMissingKeys, type SecretsPlan, type SecretValues } from './plan.ts';

/** What was written: names of secrets that are new, and of secrets that got further keys. */
export type MadeSecrets = { readonly created: readonly string[]; readonly extended: readonly string[] };

/** Two Jobs of one release may run at a time; a third write in between is not expected. */
const ROUNDS = 5;

/**
 * Makes the secrets and keys of a plan that the cluster lacks, and leaves all others as they are. A secret that changes
 * meanwhile is read again. Rejects when it keeps changing.
 */
export async function makeMissingSecrets(cluster: ClusterSecrets, plan: SecretsPlan): Promise<MadeSecrets> {
  const created = new Set<string>();
  const extended = new Set<string>();
  for (let round = 0; round < ROUNDS; round += 1) {
    const names = Object.keys(plan);
    const found = new Map(
      await Promise.all(names.map(async (name) => [name, await cluster.find(name)] as const)),
    );
    const present = Object.fromEntries(
      [...found].flatMap(([name, secret]) => (secret ? [[name, secret.values] as const] : [])),
    ) satisfies SecretValues;
    const missing = Object.entries(listMissingKeys(plan, present));
    if (missing.length === 0) return { created: [...created], extended: [...extended] };
    for (const [name, values] of missing) {
      const version = found.get(name)?.version;
      if (version === undefined) {
        if (await cluster.create(name, values)) created.add(name);
      } else if (await cluster.extend(name, version, values)) extended.add(name);
    }
  }
  throw new Error('the secrets kept changing while this Job completed them');
}
