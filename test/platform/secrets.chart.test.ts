import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readConfig } from '@gp/config';
import { openCluster } from './api-server.ts';
import { ask, render } from './helm.ts';
import { listDeployments } from './pods.ts';
import { loadConfiguration, processes, root } from './processes.ts';
import { fillSecrets, listRequired, toLive, type Secrets } from './required.ts';

describe('secrets that an installation needs', () => {
  let required: Map<string, Set<string>>;
  let whole: Secrets;
  beforeAll(async () => {
    required = listRequired(await render());
    whole = fillSecrets(required);
  });

  const tryWith = async (secrets: Secrets, values = {}) => {
    const cluster = await openCluster(toLive(secrets));
    try {
      return await ask('template', { values, kubeconfig: cluster.kubeconfig });
    } finally {
      await cluster.close();
    }
  };

  it('an installation starts where every secret has its keys', async () => {
    expect(required.size).toBe(4);
    const { code, errors } = await tryWith(whole);
    expect({ code, errors }).toEqual({ code: 0, errors: '' });
  });

  it('an installation without secrets is refused with the name and the keys of each', async () => {
    const { code, errors } = await tryWith(new Map());
    expect(code).not.toBe(0);
    for (const [name, keys] of required) {
      const line = errors.split('\n').find((one) => one.includes(`secret ${name} does not exist`)) ?? '';
      for (const key of keys) expect(line).toContain(key);
    }
  });

  it('an upgrade that needs one more key is refused with the name of that key', async () => {
    const { 'encryption-key-checkout': _lost, ...keys } = whole.get('group-payments-keys')!;
    const { code, errors } = await tryWith(new Map([...whole, ['group-payments-keys', keys]]));
    expect(code).not.toBe(0);
    expect(errors).toContain('- the secret group-payments-keys lacks encryption-key-checkout\n');
    expect(errors).not.toContain('does not exist');
  });

  it('certificates for the collector are missed like any other secret (Q53)', async () => {
    const secrets = { caSecret: 'collector-ca', clientSecret: 'collector-client' };
    const telemetry = { otlpEndpoint: 'https://collector.monitoring.svc', ...secrets };
    const { errors } = await tryWith(whole, { telemetry });
    expect(errors).toContain('- the secret collector-ca does not exist; its keys are ca.crt\n');
    expect(errors).toContain('- the secret collector-client does not exist; its keys are tls.crt, tls.key\n');
  });

  it('the check can be left out, and a store that makes the secrets later leaves it out', async () => {
    const externalSecrets = {
      enabled: true,
      store: { name: 'vault' },
      remote: { postgres: 'a', postgresAdmin: 'b', keys: 'c', nats: 'd' },
    };
    for (const values of [{ checkSecrets: false }, { externalSecrets }])
      expect(await tryWith(new Map(), values)).toMatchObject({
        errors: expect.not.stringContaining('secret'),
      });
  });
});

describe('the commands of the chart’s README', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gp-secrets-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Runs the commands with a kubectl that writes its arguments down. */
  function runCommands(): Secrets {
    const readme = readFileSync(join(root, 'charts/group-payments/README.md'), 'utf8');
    const block = /### Make them\n[^]*?```sh\n([^]*?)```/.exec(readme)?.[1] ?? '';
    const tool = (name: string, text: string) => writeFileSync(join(folder, name), text, { mode: 0o755 });
    tool('kubectl', `#!/bin/sh\nfor one; do printf '%s\\n' "$one"; done >"call-$(ls | grep -c call-)"\n`);
    tool('npm', `#!/bin/sh\nexec '${process.execPath}' '${root}/libs/stack/src/print-identities.ts' "$4"\n`);
    writeFileSync(join(folder, 'ca.crt'), 'a certificate');
    execFileSync('sh', ['-euc', block], {
      cwd: folder,
      env: { ...process.env, PATH: `${folder}:${process.env['PATH']}` },
    });
    const calls = globSync('call-*', { cwd: folder }).map((file) =>
      readFileSync(join(folder, file), 'utf8').trim().split('\n'),
    );
    const made = calls.filter(([verb, kind]) => verb === 'create' && kind === 'secret');
    return new Map(made.map((args) => [args[3]!, readKeys(args)]));
  }

  function readKeys(args: readonly string[]): Record<string, string> {
    const pairs = args.flatMap((flag, at): [string, string][] => {
      const value = args[at + 1] ?? '';
      if (flag === '--from-literal')
        return [[value.slice(0, value.indexOf('=')), value.slice(value.indexOf('=') + 1)]];
      if (flag !== '--from-file') return [];
      const files = globSync([value, `${value}/*`], { cwd: folder, withFileTypes: true }).filter((f) =>
        f.isFile(),
      );
      return files.map((file) => [
        basename(file.name),
        readFileSync(join(file.parentPath, file.name), 'utf8'),
      ]);
    });
    return Object.fromEntries(pairs);
  }

  it('the commands make every key that the minimal example needs, and each process accepts its own', async () => {
    const made = runCommands();
    const objects = await render();
    for (const [name, keys] of listRequired(objects))
      expect([name, Object.keys(made.get(name) ?? {})]).toEqual([name, expect.arrayContaining([...keys])]);
    for (const [name, { container }] of Object.entries(listDeployments(objects))) {
      const env = container.env.map(({ name: setting, value, valueFrom }) => [
        setting,
        value ?? made.get(valueFrom!.secretKeyRef.name)?.[valueFrom!.secretKeyRef.key],
      ]);
      const given = Object.fromEntries(env.filter(([, value]) => value !== undefined)) as NodeJS.ProcessEnv;
      const schema = await loadConfiguration(processes[name]!.folder);
      expect(() => readConfig(schema, given)).not.toThrow();
    }
  });

  it('the commands make no secret twice', () => {
    const values = [...runCommands().values()].flatMap((keys) => Object.values(keys));
    expect(new Set(values).size).toBe(values.length);
  });
});
