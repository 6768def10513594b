import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createIdentity, readPublicKey, type Permissions } from '@gp/bus';
import { toKeySetting } from '@gp/stack';
import type { Generated } from '@gp/testing';
import { format } from 'prettier';
import { parseAllDocuments, stringify } from 'yaml';
import { root } from '../processes.ts';
import { BUNDLED, DEV, PERMISSIONS, PRODUCTION } from './files.ts';
import { readIdentities } from './identities.ts';

type Identities = Readonly<Record<string, Permissions>>;

const WRITTEN = '# Written from what the services declare (src/bus/access.ts) by `npm run generate`.\n';

/** What is written from the services' declarations of what they do on the bus. */
export async function generated(): Promise<Generated> {
  const identities = await readIdentities();
  const json = { parser: 'json', printWidth: 110 };
  const yaml = { parser: 'yaml', printWidth: 110, singleQuote: true };
  return {
    folder: root,
    files: {
      [PERMISSIONS]: await format(JSON.stringify(identities), json),
      [PRODUCTION]: await format(WRITTEN + writeValues(identities), yaml),
      [BUNDLED]: WRITTEN + writeConfiguration(identities),
      [DEV]: await format(WRITTEN + writeDevObjects(identities), yaml),
    },
  };
}

/**
 * A client on a machine that is lost answers no ping: its connection ends after two, and calls go to other replicas. By default,
 * the first ping comes after two minutes.
 */
const PINGS = { ping_interval: '3s', ping_max: 2 };
const plain = { aliasDuplicateObjects: false, lineWidth: 0 };

/** A server of our own: streams on disk, and users. */
const describeServer = (users: readonly object[]) => ({
  jetstream: { store_dir: '/data' },
  http_port: 8222,
  ...PINGS,
  authorization: { users },
});

/** Every identity twice: during a rotation the servers admit the key that goes and the one that comes. */
function listUsers(identities: Identities, refer: (setting: string) => string) {
  return Object.entries(identities).flatMap(([name, permissions]) =>
    ['', '_PREVIOUS'].map((suffix) => ({ nkey: refer(`${toKeySetting(name)}${suffix}`), permissions })),
  );
}

/** Values for the official NATS chart. The public keys come from the environment of the servers. */
function writeValues(identities: Identities): string {
  const users = listUsers(identities, (setting) => `<< $${setting} >>`);
  const envFrom = [{ configMapRef: { name: 'nats-identities' } }];
  const values = {
    config: { merge: { ...PINGS, authorization: { users } } },
    container: { merge: { envFrom } },
  };
  return stringify(values, plain);
}

/** The configuration of the chart's own server, which has the public keys in its environment: in quotes, no name would be replaced. */
function writeConfiguration(identities: Identities): string {
  const users = listUsers(identities, (setting) => `$${setting}`);
  const configuration = describeServer(users);
  return `${JSON.stringify(configuration, null, 2).replace(/"(\$NATS_KEY_\w+)"/g, '$1')}\n`;
}

/** The seeds of a developer's cluster, which everybody can read, and the server's configuration with their keys. */
function writeDevObjects(identities: Identities): string {
  const known = readDevSeeds();
  const seeds = Object.fromEntries(
    Object.keys(identities).map((name) => [name, known[name] ?? createIdentity().seed]),
  );
  const users = Object.entries(identities).map(([name, permissions]) => ({
    nkey: readPublicKey(seeds[name] ?? ''),
    permissions,
  }));
  const configuration = describeServer(users);
  const objects = [
    { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'dev-nats' }, stringData: seeds },
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'nats-config' },
      data: { 'nats.conf': `${JSON.stringify(configuration, null, 2)}\n` },
    },
  ];
  return objects.map((object) => stringify(object, plain)).join('---\n');
}

function readDevSeeds(): Readonly<Record<string, string>> {
  try {
    const objects = parseAllDocuments(readFileSync(join(root, DEV), 'utf8')).map(
      (d) => d.toJSON() as unknown,
    );
    return (objects[0] as { stringData: Record<string, string> }).stringData;
  } catch {
    return {};
  }
}
