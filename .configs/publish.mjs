/**
 * `npm run publish-release -- <registry/path> [--image <name>] [--plain-http] [--trial]` packages the chart, signs it, and
 * pushes it to a registry of images; with `--image` also the image that `npm run image` has built. `npm run
 * publish-release -- verify <registry/path> --key <public key> [--chart-only] [--plain-http]` checks what is there.
 *
 * `SIGNING_KEY` is a file with the private key; `REGISTRY_USER` and `REGISTRY_PASSWORD` log in. `.data/release` keeps the
 * package and an OCI layout of all that was pushed. Without `--trial` it refuses a commit that is not the tagged release.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readLayout, writeLayout } from './publish/oci.mjs';
import { openRepository } from './publish/registry.mjs';
import { attest, readSigningKey, signDigest, verifyReference } from './publish/sign.mjs';
import { describeChart, describeImage } from './publish/statements.mjs';

const root = resolve(import.meta.dirname, '..');
const CHART = join(root, 'charts/group-payments');
const folder = join(root, '.data/release');
const version = /^version: (.+)$/m.exec(readFileSync(join(CHART, 'Chart.yaml'), 'utf8'))[1];

const helm = (...args) => execFileSync(process.env.GP_HELM ?? 'helm', args, { encoding: 'utf8' });
const git = (...args) =>
  execFileSync('git', ['-c', `safe.directory=${root}`, ...args], { cwd: root, encoding: 'utf8' });
const say = (line) => process.stdout.write(`${line}\n`);

class Refusal extends Error {
  constructor(reason, exitCode = 1) {
    super(`Not published: ${reason}`);
    this.exitCode = exitCode;
  }
}

/** Where the two go: the chart under `charts`, as `oci://…/charts` has it for Helm, and the image beside it. */
function openRepositories(place, plainHttp) {
  const login = { plainHttp, user: process.env.REGISTRY_USER, password: process.env.REGISTRY_PASSWORD };
  return {
    chart: openRepository(`${place}/charts/group-payments`, login),
    image: openRepository(`${place}/group-payments`, login),
  };
}

function assertReleased() {
  if (git('status', '--porcelain').trim() !== '')
    throw new Refusal('there are changes that are not committed.');
  const tags = git('tag', '--points-at', 'HEAD').split('\n');
  if (!tags.includes(`v${version}`))
    throw new Refusal(`this commit is not v${version}; \`npm run release\` makes one.`);
}

/** Logs Helm in, if there is somebody to log in as; the password is in no list of processes, and is forgotten afterwards. */
function logIn(host) {
  const { REGISTRY_USER: user, REGISTRY_PASSWORD: input } = process.env;
  if (!user) return [];
  const registry = ['--registry-config', join(folder, 'login.json')];
  const args = ['registry', 'login', host, '--username', user, '--password-stdin', ...registry];
  execFileSync(process.env.GP_HELM ?? 'helm', args, { input, stdio: ['pipe', 'ignore', 'inherit'] });
  return registry;
}

/** Packages the chart and has Helm push it, which knows the form; returns what the registry has then. */
async function pushChart(repository, { version, plainHttp }) {
  helm('package', CHART, '--destination', folder);
  const flags = [...(plainHttp ? ['--plain-http'] : []), ...logIn(repository.name.split('/')[0])];
  const into = `oci://${repository.name.replace(/\/[^/]+$/, '')}`;
  try {
    helm('push', join(folder, `group-payments-${version}.tgz`), into, ...flags);
  } finally {
    rmSync(join(folder, 'login.json'), { force: true });
  }
  return repository.pullWhole(version);
}

function saveImage(name) {
  const layout = join(folder, 'image');
  execFileSync('podman', ['save', '--format', 'oci-dir', '--output', layout, name], { stdio: 'inherit' });
  return readLayout(layout, version);
}

async function publish(place, { image, 'plain-http': plainHttp, trial }) {
  const began = new Date().toISOString();
  if (!trial) assertReleased();
  if (!process.env.SIGNING_KEY) throw new Refusal('SIGNING_KEY names no file with a private key.', 64);
  const key = readSigningKey(readFileSync(process.env.SIGNING_KEY));
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });

  const { chart: charts, image: images } = openRepositories(place, plainHttp);
  if (image) {
    const subject = saveImage(image);
    await images.push(subject);
    await pushSigned(images, { subject, key, describe: describeImage });
  }
  const subject = await pushChart(charts, { version, plainHttp });
  await pushSigned(charts, { subject, key, describe: (about) => [describeChart({ ...about, began })] });
}

/** Pushes the signature of what a repository has and the statements about it, and keeps all of it as a layout. */
async function pushSigned(repository, { subject, key, describe }) {
  const { digest } = subject.manifest.descriptor;
  const about = { repository: repository.name, digest };
  const proofs = [signDigest(key, about), attest(key, { digest, statements: describe(about) })];
  for (const proof of proofs) await repository.push(proof);
  writeLayout(join(folder, 'oci', repository.name.split('/').slice(1).join('/')), [subject, ...proofs]);
  say(`${repository.name}:${version} is ${digest}, signed`);
}

async function verify(place, { key, 'chart-only': chartOnly, 'plain-http': plainHttp }) {
  if (!key) throw new Refusal('usage: verify <registry/path> --key <public key>', 64);
  const repositories = openRepositories(place, plainHttp);
  for (const repository of chartOnly ? [repositories.chart] : [repositories.chart, repositories.image]) {
    const { digest, statements } = await verifyReference(readFileSync(key), repository, version);
    const kinds = statements.map(({ predicateType }) => predicateType).join(', ');
    say(`${repository.name}:${version} is ${digest}, signed, with ${kinds}`);
  }
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    image: { type: 'string' },
    key: { type: 'string' },
    'chart-only': { type: 'boolean', default: false },
    'plain-http': { type: 'boolean', default: false },
    trial: { type: 'boolean', default: false },
  },
});
try {
  const [word, place] = positionals[0] === 'verify' ? positionals : ['publish', positionals[0]];
  if (!place) throw new Refusal('usage: npm run publish-release -- <registry/path> [--image <name>]', 64);
  await (word === 'verify' ? verify : publish)(place, values);
} catch (error) {
  process.stderr.write(`${error instanceof Refusal ? error.message : `Not published: ${error.message}`}\n`);
  process.exitCode = error.exitCode ?? 1;
}
