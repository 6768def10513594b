import { listMissingKeys, type SecretsPlan, type SecretValues } from './plan.ts';
import type { SecretStore } from './secret-store.ts';

/** What was written: names of secrets that are new, and of secrets that got further keys. */
export type MadeSecrets = { readonly created: readonly string[]; readonly extended: readonly string[] };

/** Two tasks of one installation may run at a time; a third write in between is not expected. */
const ROUNDS = 5;

/**
 * Makes the secrets and keys of a plan that the store lacks, and leaves all others as they are. A secret that changes
 * meanwhile is read again. Rejects when it keeps changing.
 */
export async function makeMissingSecrets(store: SecretStore, plan: SecretsPlan): Promise<MadeSecrets> {
  const created = new Set<string>();
  const extended = new Set<string>();
  for (let round = 0; round < ROUNDS; round += 1) {
    const names = Object.keys(plan);
    const found = new Map(
      await Promise.all(names.map(async (name) => [name, await store.find(name)] as const)),
    );
    const present = Object.fromEntries(
      [...found].flatMap(([name, secret]) => (secret ? [[name, secret.values] as const] : [])),
    ) satisfies SecretValues;
    const missing = Object.entries(listMissingKeys(plan, present));
    if (missing.length === 0) return { created: [...created], extended: [...extended] };
    for (const [name, values] of missing) {
      const version = found.get(name)?.version;
      if (version === undefined) {
        if (await store.create(name, values)) created.add(name);
      } else if (await store.extend(name, version, values)) extended.add(name);
    }
  }
  throw new Error('the secrets kept changing while this task completed them');
}

/** Returns the line that says what was made. */
export function describeMade({ created, extended }: MadeSecrets): string {
  const did = [
    ...(created.length > 0 ? [`made the secrets ${created.join(', ')}`] : []),
    ...(extended.length > 0 ? [`added keys to ${extended.join(', ')}`] : []),
  ];
  return did.length > 0 ? did.join('; ') : 'every secret was there with all its keys';
}
