import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SecretStore } from './secret-store.ts';

const CALL_MS = 30_000;

type Secret = {
  readonly metadata: { readonly resourceVersion: string };
  readonly data?: Readonly<Record<string, string>>;
};

const CONFLICT = 409;
const NOT_FOUND = 404;

/**
 * Opens the secrets of a namespace as the account whose token is in a folder; the cluster renews it there. Every function rejects with the
 * server's own words when it refuses.
 */
export function openClusterSecrets(o: {
  readonly apiServer: string;
  readonly namespace: string;
  readonly accountFolder: string;
}): SecretStore {
  const home = `${o.apiServer.replace(/\/$/, '')}/api/v1/namespaces/${o.namespace}/secrets`;

  async function send(method: string, path: string, body?: unknown): Promise<Response> {
    const token = (await readFile(join(o.accountFolder, 'token'), 'utf8')).trim();
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    return fetch(`${home}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': type },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(CALL_MS),
    });
  }

  async function write(method: string, path: string, body: unknown): Promise<boolean> {
    const response = await send(method, path, body);
    if (response.status === CONFLICT) return false;
    await assertOk(response, `${method} of a secret`);
    return true;
  }

  return {
    async find(name) {
      const response = await send('GET', `/${name}`);
      if (response.status === NOT_FOUND) return undefined;
      await assertOk(response, `GET of the secret ${name}`);
      const { metadata, data = {} } = (await response.json()) as Secret;
      return { version: metadata.resourceVersion, values: mapValues(data, fromBase64) };
    },
    create: (name, values) =>
      write('POST', '', {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name },
        data: mapValues(values, toBase64),
      }),
    extend: (name, version, values) =>
      write('PATCH', `/${name}`, {
        metadata: { resourceVersion: version },
        data: mapValues(values, toBase64),
      }),
  };
}

async function assertOk(response: Response, act: string): Promise<void> {
  if (!response.ok) throw new Error(`${act} answered ${response.status}: ${await response.text()}`);
}

const toBase64 = (text: string) => Buffer.from(text, 'utf8').toString('base64');
const fromBase64 = (text: string) => Buffer.from(text, 'base64').toString('utf8');

function mapValues(
  values: Readonly<Record<string, string>>,
  change: (value: string) => string,
): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, change(value)]));
}
