/**
 * `npm run release -- <version>`: one commit that moves the version of every workspace, of the chart and of the lock file
 * and dates the changelog and the steps of an upgrade, with a tag. Nothing is written before everything was checked, `.ci/run` last; nothing is pushed.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');
const CHART = 'charts/group-payments/Chart.yaml';
const CHANGELOG = 'CHANGELOG.md';
const UPGRADING = 'docs/upgrading.md';
const UNRELEASED = /^## \[Unreleased\]\n([^]*?)(?=^## \[)/m;
const VERSION = /^(\d+)\.(\d+)\.(\d+)$/;

const read = (file) => readFileSync(resolve(root, file), 'utf8');
const git = (...args) =>
  execFileSync('git', ['-c', `safe.directory=${root}`, ...args], { cwd: root, encoding: 'utf8' }).trim();

class Refusal extends Error {
  constructor(reason, exitCode = 1) {
    super(`Not released: ${reason}`);
    this.exitCode = exitCode;
  }
}

function refuse(reason, exitCode) {
  throw new Refusal(reason, exitCode);
}

function isNewer(version, than) {
  const parts = (text) => VERSION.exec(text).slice(1).map(Number);
  const [next, before] = [parts(version), parts(than)];
  const at = next.findIndex((part, index) => part !== before[index]);
  return at >= 0 && next[at] > before[at];
}

/** Refuses whatever would make this release wrong, the cheap checks first. */
function check(version, current) {
  if (!VERSION.test(version ?? '')) refuse('usage: npm run release -- <major.minor.patch>', 64);
  if (!isNewer(version, current)) refuse(`${version} is not newer than ${current}.`);
  const changes = git('status', '--porcelain');
  if (changes) refuse(`there are changes that are not committed:\n${changes}`);
  if (git('tag', '--list', `v${version}`)) refuse(`the tag v${version} exists.`);
  if (!/^- /m.test(UNRELEASED.exec(read(CHANGELOG))?.[1] ?? ''))
    refuse(`${CHANGELOG} has no entry under "Unreleased".`);
  const { status } = spawnSync('.ci/run', ['all'], { cwd: root, stdio: 'inherit' });
  if (status !== 0) refuse('.ci/run has failed; see above.');
  const left = git('status', '--porcelain');
  if (left) refuse(`.ci/run left changes:\n${left}`);
}

/** Manifests by folder, '' being the root's. */
function readManifests() {
  const files = git('ls-files', 'package.json', '*/package.json').split('\n');
  return new Map(files.map((file) => [file.replace(/\/?package\.json$/, ''), JSON.parse(read(file))]));
}

/** Sets the version of a workspace, and of the workspaces it depends on, which are named by their exact version. */
function moveVersions(manifest, { names, version }) {
  const moved = { ...manifest, version };
  for (const kind of ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'])
    if (manifest[kind])
      moved[kind] = Object.fromEntries(
        Object.entries(manifest[kind]).map(([name, range]) => [name, names.has(name) ? version : range]),
      );
  return moved;
}

/** Texts of the files that a release changes. */
function writeRelease(version, date) {
  const manifests = readManifests();
  const names = new Set([...manifests.values()].map(({ name }) => name));
  const moved = (manifest) => moveVersions(manifest, { names, version });
  const lock = JSON.parse(read('package-lock.json'));
  for (const folder of manifests.keys()) lock.packages[folder] = moved(lock.packages[folder]);
  const texts = new Map(
    [...manifests].map(([folder, manifest]) => [
      folder ? `${folder}/package.json` : 'package.json',
      moved(manifest),
    ]),
  );
  texts.set('package-lock.json', { ...lock, version });
  return new Map([
    ...[...texts].map(([file, value]) => [file, `${JSON.stringify(value, null, 2)}\n`]),
    [
      CHART,
      read(CHART)
        .replace(/^version: .*$/m, `version: ${version}`)
        .replace(/^appVersion: .*$/m, `appVersion: '${version}'`),
    ],
    [CHANGELOG, read(CHANGELOG).replace('## [Unreleased]', `## [Unreleased]\n\n## [${version}] - ${date}`)],
    [
      UPGRADING,
      read(UPGRADING).replace('## Unreleased', `## Unreleased\n\nNothing is to be done.\n\n## To ${version}`),
    ],
  ]);
}

function release(version) {
  check(version, JSON.parse(read('package.json')).version);
  const files = writeRelease(version, new Date().toISOString().slice(0, 10));
  for (const [file, text] of files) writeFileSync(resolve(root, file), text);
  git('add', ...files.keys());
  git('commit', '--quiet', '--message', `Release ${version}`);
  git('tag', '--annotate', '--message', `Release ${version}`, `v${version}`);
  process.stdout.write(`Released ${version} as the tag v${version}. To publish it: git push --follow-tags\n`);
}

try {
  release(process.argv[2]);
} catch (error) {
  if (!(error instanceof Refusal)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = error.exitCode;
}
