import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { services } from '@gp/stack';
import { openOwnStack } from '../support/own-stack.ts';
import { findMerchant, root } from '../support/stack.ts';

/**
 * `node test/platform/run-image.ts <image>` runs every service as a container of the image, closed as in a cluster, on
 * embedded servers: looks at their probes and at what the kernel lets them do, pays a group through them, and ends them.
 * Before that, it compares the image's bill of materials with the packages that are in it.
 */
const image = process.argv[2];
if (image === undefined) throw new Error('which image? run-image.ts <image>');

say(assertBillOfMaterials(podman('image', 'mount', image)));
podman('image', 'unmount', image);

const own = await openOwnStack({ GP_IMAGE: image });
const nameContainer = (service: string): string => `gp-${own.opened.ports.api}-${service}`;
try {
  for (const { name } of services) {
    await assertProbes(name);
    assertClosed(name);
    say(`${name}: probes green; no root, no capability, no way up, nothing to write to`);
  }
  say(payOneGroup());
  await Promise.all(services.map(({ name }) => assertEndsWell(name)));
  say(`all ${services.length} ended with 0 when they were asked to`);
} finally {
  await own.close();
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function podman(...args: readonly string[]): string {
  return execFileSync('podman', args, { encoding: 'utf8' }).trim();
}

/** Every package that Node could load, by its own package.json, is named once, and nothing else is. */
function assertBillOfMaterials(mounted: string): string {
  const app = join(mounted, 'app');
  const read = <T>(file: string) => JSON.parse(readFileSync(join(app, file), 'utf8')) as T;
  const { components } = read<{ components: { purl: string }[] }>('sbom.cdx.json');
  const named = components.map(({ purl }) => decodeURIComponent(purl.slice('pkg:npm/'.length)));
  const manifests = globSync('**/node_modules/{*,@*/*}/package.json', { cwd: app })
    .filter((file) => !/node_modules\/@gp\//.test(file))
    .map((file) => read<{ name: string; version: string }>(file));
  const there = new Set(manifests.map(({ name, version }) => `${name}@${version}`));
  const differing = [...there]
    .filter((one) => !named.includes(one))
    .concat(named.filter((one) => !there.has(one)));
  if (differing.length > 0 || named.length !== there.size)
    throw new Error(
      `the bill of materials and the image differ in ${differing.join() || 'what is named twice'}`,
    );
  return `its bill of materials names the ${named.length} packages that are in it`;
}

async function assertProbes(service: string): Promise<void> {
  for (const probe of ['livez', 'startupz', 'readyz']) {
    const url = new URL(`/${probe}`, own.stack.services[service]?.metrics);
    const response = await fetch(url, { signal: AbortSignal.timeout(10_000) });
    if (!response.ok)
      throw new Error(`${service} answers ${response.status} to ${probe}: ${await response.text()}`);
  }
}

/** The kernel's view of the process, not podman's options. */
function assertClosed(service: string): void {
  const pid = podman('inspect', '--format', '{{.State.Pid}}', nameContainer(service));
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const said = (key: string) => new RegExp(`^${key}:\\s+(.*)$`, 'm').exec(status)?.[1];
  const is = {
    user: said('Uid'),
    capabilities: [said('CapEff'), said('CapPrm'), said('CapBnd')].join(),
    noNewPrivileges: said('NoNewPrivs'),
    root: /^\S+ \/ \S+ (r[ow])/m.exec(readFileSync(`/proc/${pid}/mounts`, 'utf8'))?.[1],
  };
  const none = '0'.repeat(16);
  const shall = {
    user: Array(4).fill('65532').join('\t'),
    capabilities: [none, none, none].join(),
    noNewPrivileges: '1',
    root: 'ro',
  };
  if (JSON.stringify(is) !== JSON.stringify(shall)) throw new Error(`${service} is ${JSON.stringify(is)}`);
}

/** The smoke test of the chart, in a container of the same image. */
function payOneGroup(): string {
  const { stack } = own;
  const addresses = { 'api-gateway': stack.api, checkout: stack.checkout, 'psp-sandbox': stack.sandbox };
  const env = {
    ...process.env,
    SERVICES: Object.entries(addresses)
      .map(([name, address]) => `${name}=${address}`)
      .join(),
    API_KEY: findMerchant(stack, 'gateway_a').test_key,
  };
  const settings = ['--env', 'SERVICES', '--env', 'API_KEY'];
  const entry = 'services/installation/src/smoke-test.js';
  const run = ['run', '--rm', '--runtime', 'runc', '--network', 'host', '--read-only', '--cap-drop', 'ALL'];
  const limits = ['--ulimit', 'nofile=20000:20000', '--ulimit', 'nproc=1000:1000'];
  const args = [...run, ...limits, ...settings, image!, entry];
  return execFileSync('podman', args, {
    cwd: root,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  }).trim();
}

/** By podman's record: a container that has ended is gone before anybody can wait for it. */
async function assertEndsWell(service: string): Promise<void> {
  await own.opened.processes.get(service)?.stop();
  const ends = ['--filter', `container=${nameContainer(service)}`, '--filter', 'event=died'];
  const lines = podman('events', '--stream=false', '--since=10m', ...ends, '--format={{.ContainerExitCode}}');
  const code = lines.split('\n').at(-1);
  if (code !== '0') throw new Error(`${service} ended with ${code}`);
}
