import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix, resolve } from 'node:path';

/**
 * `node .configs/sbom.mjs [folder]` writes the bill of materials, in CycloneDX, of the packages that npm installed for
 * production below a folder with workspaces and a lock: what is there, not what was asked for. It fails when something
 * is there that the lock does not have, has for development only, or has in another version. Our own workspaces and what
 * lies below Node (the base image) are not in it. The same packages are the same text: no time, no serial number.
 */
const root = resolve(process.argv[2] ?? '.');
const { name, version, workspaces = [] } = read('package.json');
const lock = read('package-lock.json').packages;
const ours = [
  '',
  ...globSync(workspaces, { cwd: root }).filter((folder) => existsSync(join(root, folder, 'package.json'))),
];

/** Each installed package by its path, as the lock knows it. */
const installed = new Map(ours.flatMap(below).map((path) => [path, describe(path)]));
const components = unique([...installed.values()].map(({ component }) => component));
const self = { type: 'application', 'bom-ref': `pkg:npm/${name}@${version}`, name, version };
const needs = new Map([
  [
    self['bom-ref'],
    new Set(ours.flatMap((folder) => neededBy(folder, read(posix.join(folder, 'package.json'))))),
  ],
]);
for (const [path, { component, manifest }] of installed) {
  const known = needs.get(component['bom-ref']) ?? new Set();
  needs.set(component['bom-ref'], known.union(new Set(neededBy(path, manifest))));
}
const bill = {
  bomFormat: 'CycloneDX',
  specVersion: '1.6',
  version: 1,
  metadata: { component: self },
  components,
  dependencies: [...needs]
    .map(([ref, on]) => ({ ref, dependsOn: [...on].toSorted() }))
    .toSorted((a, b) => (a.ref < b.ref ? -1 : 1)),
};
process.stdout.write(`${JSON.stringify(bill, null, 2)}\n`);

/** The paths of all packages in a folder's node_modules and in theirs; links lead to workspaces. */
function below(folder) {
  const home = posix.join(folder, 'node_modules');
  return foldersIn(home)
    .flatMap((entry) =>
      entry.startsWith('@')
        ? foldersIn(posix.join(home, entry)).map((one) => posix.join(entry, one))
        : [entry],
    )
    .map((entry) => posix.join(home, entry))
    .flatMap((path) => [path, ...below(path)]);
}

function foldersIn(folder) {
  if (!existsSync(join(root, folder))) return [];
  const entries = readdirSync(join(root, folder), { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map((entry) => entry.name);
}

function describe(path) {
  const manifest = read(posix.join(path, 'package.json'));
  const locked = lock[path];
  if (locked?.version !== manifest.version || locked.dev)
    throw new Error(`${path} is not what the lock has for production`);
  const [scope, called] = manifest.name.startsWith('@')
    ? manifest.name.split('/')
    : [undefined, manifest.name];
  const purl = `pkg:npm/${scope ? `${encodeURIComponent(scope)}/` : ''}${called}@${manifest.version}`;
  const component = {
    type: 'library',
    'bom-ref': purl,
    ...(scope && { group: scope }),
    name: called,
    version: manifest.version,
    purl,
    ...(locked.license && { licenses: [{ expression: locked.license }] }),
    ...(locked.integrity && { hashes: [hashOf(locked.integrity)] }),
  };
  return { component, manifest };
}

function hashOf(integrity) {
  const [algorithm, digest] = integrity.split('-');
  return {
    alg: algorithm.toUpperCase().replace('SHA', 'SHA-'),
    content: Buffer.from(digest, 'base64').toString('hex'),
  };
}

/** What a package needs and has, each where Node would find it. */
function neededBy(path, { dependencies, optionalDependencies, peerDependencies }) {
  return Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies }).flatMap((needed) => {
    const found = homesFrom(path)
      .map((home) => posix.join(home, needed))
      .find((one) => installed.has(one));
    return found ? [installed.get(found).component['bom-ref']] : [];
  });
}

function homesFrom(path) {
  const parts = path.split('/').filter(Boolean);
  const folders = parts.map((_, at) => parts.slice(0, parts.length - at).join('/')).concat('');
  return folders
    .filter((folder) => !folder.endsWith('node_modules'))
    .map((folder) => posix.join(folder, 'node_modules'));
}

function unique(list) {
  const byRef = new Map(list.map((component) => [component['bom-ref'], component]));
  return [...byRef.values()].toSorted((a, b) => (a['bom-ref'] < b['bom-ref'] ? -1 : 1));
}

function read(file) {
  return JSON.parse(readFileSync(join(root, file), 'utf8'));
}
