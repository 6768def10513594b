import { readFileSync } from 'node:fs';
import { readPublicKey, type Permissions } from '@gp/bus';

/** A user of a NATS server, as its configuration has it. */
export type NatsUser = { readonly nkey: string; readonly permissions: Permissions };

/** The permissions of every identity by its name; `npm run generate` writes the file from the services. */
export const busPermissions = JSON.parse(
  readFileSync(new URL('../bus-permissions.json', import.meta.url), 'utf8'),
) as Readonly<Record<string, Permissions>>;

/** Returns the variable that holds an identity's public key where a server reads its users' keys from its environment. */
export function toKeySetting(name: string): string {
  return `NATS_KEY_${name.toUpperCase().replaceAll('-', '_')}`;
}

/** Returns the users that hold these seeds, by the names of their identities. */
export function listNatsUsers(seeds: Readonly<Record<string, string>>): NatsUser[] {
  return Object.entries(seeds).map(([name, seed]) => {
    const permissions = busPermissions[name];
    if (!permissions) throw new Error(`no identity is named ${name}`);
    return { nkey: readPublicKey(seed), permissions };
  });
}
