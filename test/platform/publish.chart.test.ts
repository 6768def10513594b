import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@gp/testing';
import { runHelm } from './helm.ts';
import { root } from './processes.ts';

const folder = mkdtempSync(join(tmpdir(), 'gp-publish-'));
const keys = { private: join(folder, 'release.pem'), public: join(folder, 'release.pub') };
const version = /^version: (.+)$/m.exec(
  readFileSync(join(root, 'charts/group-payments/Chart.yaml'), 'utf8'),
)![1]!;

let registry: ChildProcess;
let place: string;
beforeAll(async () => {
  writeKeys(keys);
  const port = await findPort();
  place = `127.0.0.1:${port}/releases`;
  registry = spawn(process.env['GP_REGISTRY'] ?? 'registry', ['-port', String(port)], { stdio: 'ignore' });
  await eventually(async () => (await fetch(`http://127.0.0.1:${port}/v2/`)).ok);
});
afterAll(() => {
  registry?.kill();
  rmSync(folder, { recursive: true, force: true });
});

function writeKeys(into: typeof keys): void {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  writeFileSync(into.private, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  writeFileSync(into.public, publicKey.export({ type: 'spki', format: 'pem' }));
}

function findPort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

function publish(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const command = [join(root, '.configs/publish.mjs'), ...args, '--plain-http'];
  const given = { ...process.env, SIGNING_KEY: keys.private, ...env };
  return new Promise<{ code: unknown; out: string; err: string }>((resolve) => {
    execFile(process.execPath, command, { cwd: root, env: given }, (error, out, err) =>
      resolve({ code: error?.code ?? 0, out, err }),
    );
  });
}

const readManifest = async (reference: string) => {
  const [host, ...path] = place.split('/');
  const url = `http://${host}/v2/${path.join('/')}/charts/group-payments/manifests/${reference}`;
  const accept = 'application/vnd.oci.image.manifest.v1+json';
  return (await fetch(url, { headers: { accept } })).text();
};

describe('a chart in a registry of images', () => {
  beforeAll(async () => {
    expect(await publish([place, '--trial'])).toMatchObject({ code: 0, err: '' });
  }, 120_000);

  it('Helm pulls the chart and renders the same installation as from the repository', async () => {
    const values = `--values=${join(root, 'charts/group-payments/examples/minimal.yaml')}`;
    const from = (chart: string, ...more: string[]) =>
      runHelm(['template', 'gp', chart, '--namespace=payments', values, ...more]);
    const pulled = await from(`oci://${place}/charts/group-payments`, `--version=${version}`, '--plain-http');
    expect(pulled.code).toBe(0);
    expect(pulled.output).toBe((await from(join(root, 'charts/group-payments'))).output);
  });

  it('the signature and the statement of how it was made fit the key and the chart', async () => {
    const { code, out } = await publish(['verify', place, '--chart-only', '--key', keys.public]);
    expect(code).toBe(0);
    expect(out).toMatch(/ is sha256:[0-9a-f]{64}, signed, with https:\/\/slsa\.dev\/provenance\/v1\n$/);
  });

  it('another key does not verify the chart', async () => {
    const other = { private: join(folder, 'other.pem'), public: join(folder, 'other.pub') };
    writeKeys(other);
    const { code, err } = await publish(['verify', place, '--chart-only', '--key', other.public]);
    expect([code, err]).toEqual([1, expect.stringContaining('is of another key')]);
  });

  it('a chart that was replaced under its tag is not verified', async () => {
    const [host, ...path] = place.split('/');
    const url = `http://${host}/v2/${path.join('/')}/charts/group-payments/manifests/${version}`;
    const signed = await readManifest(version);
    const replace = async (body: string) =>
      expect(
        (
          await fetch(url, {
            method: 'PUT',
            body,
            headers: { 'content-type': 'application/vnd.oci.image.manifest.v1+json' },
          })
        ).status,
      ).toBe(201);
    await replace(signed.replace('{', '{ '));
    const { code, err } = await publish(['verify', place, '--chart-only', '--key', keys.public]);
    await replace(signed);
    expect([code, err]).toEqual([1, expect.stringMatching(/has no sha256-[0-9a-f]{64}\.sig/)]);
  });

  it('the package and an OCI layout of all that was pushed are kept', () => {
    const kept = join(root, '.data/release');
    expect(existsSync(join(kept, `group-payments-${version}.tgz`))).toBe(true);
    const [index = ''] = globSync('oci/**/index.json', { cwd: kept });
    const { manifests } = JSON.parse(readFileSync(join(kept, index), 'utf8')) as {
      manifests: { digest: string; annotations: Record<string, string> }[];
    };
    const names = manifests.map(({ annotations }) => annotations['org.opencontainers.image.ref.name']);
    const [first] = manifests;
    const tag = first!.digest.replace(':', '-');
    expect(names).toEqual([version, `${tag}.sig`, `${tag}.att`]);
    for (const { digest } of manifests)
      expect(existsSync(join(kept, index, '../blobs/sha256', digest.slice('sha256:'.length)))).toBe(true);
  });
});

describe('what is not published', () => {
  it('a commit that is not the tagged release is refused, and so is one without a key', async () => {
    expect(await publish([place])).toMatchObject({ code: 1, err: expect.stringMatching(/^Not published: /) });
    expect(await publish([place, '--trial'], { SIGNING_KEY: '' })).toMatchObject({
      code: 64,
      err: 'Not published: SIGNING_KEY names no file with a private key.\n',
    });
  });

  it('a key of another kind is refused', async () => {
    const { privateKey } = generateKeyPairSync('ed25519');
    const file = join(folder, 'ed25519.pem');
    writeFileSync(file, privateKey.export({ type: 'pkcs8', format: 'pem' }));
    expect(await publish([place, '--trial'], { SIGNING_KEY: file })).toMatchObject({
      code: 1,
      err: expect.stringContaining('must be ECDSA over P-256'),
    });
  });
});
