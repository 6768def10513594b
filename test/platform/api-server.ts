import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';

/** An object that the cluster has, as its API returns it. */
export type LiveObject = {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string } & Readonly<Record<string, unknown>>;
} & Readonly<Record<string, unknown>>;

/** A cluster as far as helm reads it while it renders, and as far as secrets can be written there. */
export type Cluster = {
  readonly url: string;
  readonly kubeconfig: string;
  /** Values of the secrets as texts, by name. */
  readSecrets(): ReadonlyMap<string, Readonly<Record<string, string>>>;
  close(): Promise<void>;
};

/** Kinds that the chart renders or looks up, by group: the names of their resources. */
const KINDS: Readonly<Record<string, readonly string[]>> = {
  v1: ['ConfigMap', 'Namespace', 'Pod', 'Secret', 'Service', 'ServiceAccount'],
  'apps/v1': ['Deployment', 'StatefulSet'],
  'batch/v1': ['Job'],
  'autoscaling/v2': ['HorizontalPodAutoscaler'],
  'policy/v1': ['PodDisruptionBudget'],
  'networking.k8s.io/v1': ['Ingress', 'NetworkPolicy'],
  'rbac.authorization.k8s.io/v1': ['Role', 'RoleBinding'],
};
const toPlural = (kind: string) => kind.toLowerCase().replace(/y$/, 'ie').replace(/ss$/, 'sse') + 's';

/**
 * Opens an API server that knows the kinds of the chart and has the given objects in the namespace `payments`. It answers
 * what helm asks while it renders (discovery, and single objects or lists), and lets secrets be created and patched.
 * `beforeWrite` is called ahead of each write, as something else that happens meanwhile.
 */
export async function openCluster(
  given: readonly LiveObject[],
  beforeWrite: (objects: LiveObject[]) => void = () => undefined,
): Promise<Cluster> {
  const objects = [...given];
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://cluster').pathname;
    if (request.method === 'GET') {
      const found = discover(path) ?? look(path, objects);
      reply(response, found === undefined ? 404 : 200, found ?? absent);
    } else {
      beforeWrite(objects);
      void json(request).then((body) => {
        const status = writeSecret(objects, { path, body: body as LiveObject });
        reply(response, status, status < 300 ? body : absent);
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const folder = await mkdtemp(join(tmpdir(), 'gp-cluster-'));
  const kubeconfig = join(folder, 'config');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await writeFile(kubeconfig, describeAccess(url), { mode: 0o600 });
  return {
    url,
    kubeconfig,
    readSecrets: () =>
      new Map(
        objects
          .filter(({ kind }) => kind === 'Secret')
          .map(({ metadata, data }) => [metadata.name, decode(data as Record<string, string>)]),
      ),
    async close() {
      server.closeAllConnections();
      server.close();
      await rm(folder, { recursive: true });
    },
  };
}

const absent = { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'NotFound', code: 404 };

function reply(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function describeAccess(url: string): string {
  const name = 'tests';
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name, cluster: { server: url } }],
    users: [{ name, user: {} }],
    contexts: [{ name, context: { cluster: name, user: name } }],
    'current-context': name,
  });
}

/** What a client learns of a cluster before it reads an object. */
function discover(path: string): object | undefined {
  if (path === '/version') return { major: '1', minor: '33', gitVersion: 'v1.33.0' };
  if (path === '/api') return { kind: 'APIVersions', versions: ['v1'] };
  if (path === '/apis') {
    const groups = Object.keys(KINDS)
      .filter((group) => group.includes('/'))
      .map((groupVersion) => {
        const [name, version] = groupVersion.split('/');
        return { name, versions: [{ groupVersion, version }], preferredVersion: { groupVersion, version } };
      });
    return { kind: 'APIGroupList', apiVersion: 'v1', groups };
  }
  const groupVersion = /^\/apis?\/(.+)$/.exec(path)?.[1] ?? '';
  const resources = KINDS[groupVersion]?.map((kind) => ({
    name: toPlural(kind),
    singularName: kind.toLowerCase(),
    kind,
    namespaced: kind !== 'Namespace',
    verbs: ['get', 'list'],
  }));
  return resources && { kind: 'APIResourceList', apiVersion: 'v1', groupVersion, resources };
}

const ADDRESS = /^\/apis?\/(?<version>.+)\/namespaces\/payments\/(?<plural>[a-z]+)(?:\/(?<name>[^/]+))?$/;

/** One object, or the list of a kind, which may be empty. */
function look(path: string, objects: readonly LiveObject[]): object | undefined {
  const { version = '', plural = '', name } = ADDRESS.exec(path)?.groups ?? {};
  const kind = KINDS[version]?.find((one) => toPlural(one) === plural);
  if (kind === undefined) return undefined;
  const items = objects.filter((object) => object.apiVersion === version && object.kind === kind);
  if (name === undefined) return { kind: `${kind}List`, apiVersion: version, metadata: {}, items };
  return items.find(({ metadata }) => metadata.name === name);
}

/** Creates a secret, or adds keys to it unless it has changed since the version that the request names. */
function writeSecret(
  objects: LiveObject[],
  { path, body }: { readonly path: string; readonly body: LiveObject },
): number {
  const { plural, name = body.metadata.name } = ADDRESS.exec(path)?.groups ?? {};
  if (plural !== 'secrets') return 405;
  const at = objects.findIndex(({ kind, metadata }) => kind === 'Secret' && metadata.name === name);
  const before = objects[at];
  const isNew = path.endsWith('/secrets');
  if (isNew === (before !== undefined)) return isNew ? 409 : 404;
  const version = before?.metadata['resourceVersion'] ?? '0';
  if (!isNew && body.metadata['resourceVersion'] !== version) return 409;
  const data = { ...(before?.['data'] as object), ...(body['data'] as object) };
  const metadata = { name, resourceVersion: String(Number(version) + 1) };
  objects.splice(isNew ? objects.length : at, isNew ? 0 : 1, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata,
    data,
  });
  return 200;
}

function decode(data: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => [key, Buffer.from(value, 'base64').toString('utf8')]),
  );
}
