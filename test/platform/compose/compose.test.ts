import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { readConfig, toVariableName, type ConfigSchema } from '@gp/config';
import { staleFiles } from '@gp/testing';
import { loadConfiguration, processes, root, taskConfigurations } from '../processes.ts';
import { FILE, findEntry, findSecretsMount, readComposeFile, type ComposeService } from './compose-file.ts';
import { generated } from './generated.ts';
import { renderSetting } from './quick-start.ts';

type Values = Readonly<Record<string, Readonly<Record<string, string>>>>;
type PlanModule = { readonly listMissingKeys: (plan: Values, present: Values) => Values };

const file = readComposeFile();
const names = Object.keys(processes);
const programs = Object.keys(file.services).filter((name) => findEntry(file.services[name]!));

const plan = JSON.parse(file.services['secrets']!.environment!['PLAN']!) as Values;
const planModule = pathToFileURL(join(root, 'services/installation/src/secrets/plan.ts')).href;
const secrets = ((await import(planModule)) as PlanModule).listMissingKeys(plan, {});

/** What a program has in its environment: the secrets that its container has mounted, and what the file sets. */
function readEnvironment(service: ComposeService): Readonly<Record<string, string>> {
  return { ...secrets[findSecretsMount(service)?.volume?.subpath ?? ''], ...service.environment };
}

async function loadSchema(name: string): Promise<ConfigSchema<unknown>> {
  const entry = findEntry(file.services[name]!)!;
  const task = /^services\/installation\/src\/(.+)\.js$/.exec(entry)?.[1];
  return task === undefined
    ? loadConfiguration(entry.split('/src/')[0]!)
    : (await taskConfigurations())[task]!;
}

const listNetworks = (name: string) => file.services[name]!.networks ?? [];

describe('the compose file and the programs it starts', () => {
  it('the compose file is what the chart and the programs declare; otherwise run `npm run generate`', async () => {
    expect(await staleFiles(await generated())).toEqual([]);
  });

  it('Docker Compose fills in one place of the file, the image', () => {
    const text = readFileSync(join(root, FILE), 'utf8');
    expect(text.match(/\$+.*/g)).toEqual(['${GP_IMAGE:-group-payments:dev}']);
  });

  it('the compose file has every process of the platform, and a migration of each schema (Q59)', () => {
    expect(Object.keys(file.services)).toEqual(expect.arrayContaining(names));
    for (const [name, { folder, schema, migrations }] of Object.entries(processes)) {
      expect(findEntry(file.services[name]!)).toBe(`${folder}/src/main.js`);
      expect(file.services[`migrate-${name}`]!.environment).toEqual({
        SCHEMA: schema,
        DIRECTORIES: migrations.join(','),
      });
    }
  });

  it.each(programs)(
    '%s runs a file of the source, with settings that it has and accepts (Q59)',
    async (name) => {
      const service = file.services[name]!;
      expect(existsSync(join(root, findEntry(service)!.replace(/\.js$/, '.ts')))).toBe(true);
      const schema = await loadSchema(name);
      const given = readEnvironment(service);
      const known = Object.keys(schema.shape).map(toVariableName);
      // The database driver reads the password, so that no address holds it.
      expect(Object.keys(given).filter((one) => !known.includes(one) && one !== 'PGPASSWORD')).toEqual([]);
      expect(() => readConfig(schema, given)).not.toThrow();
    },
  );

  it.each(programs)(
    '%s has its secrets from its own folder, and none from the compose file',
    async (name) => {
      const service = file.services[name]!;
      const secret = Object.entries((await loadSchema(name)).shape).flatMap(([key, field]) =>
        field.isSecret ? [toVariableName(key)] : [],
      );
      const written = Object.keys(service.environment ?? {});
      expect(written.filter((one) => secret.includes(one) || one === 'PGPASSWORD')).toEqual([]);
    },
  );

  it('no container has the secrets of another one, and only the task that makes them writes any', () => {
    for (const [name, service] of Object.entries(file.services)) {
      const { read_only: isReadOnly, volume } = findSecretsMount(service) ?? {};
      const own = name === 'secrets' || secrets[name] === undefined ? undefined : name;
      expect([name, volume?.subpath, isReadOnly]).toEqual([name, own, own && true]);
    }
  });

  it('two processes that need one key get the same, and no two have the same encryption key', () => {
    const both = ['API_KEY_PEPPER', 'SANDBOX_CONTROL_TOKEN'].map((key) =>
      names.flatMap((name) => secrets[name]![key] ?? []),
    );
    for (const values of both) {
      expect(values).toHaveLength(2);
      expect(new Set(values).size).toBe(1);
    }
    const keys = names.flatMap((name) => secrets[name]!['ENCRYPTION_KEY'] ?? []);
    expect(new Set(keys).size).toBe(names.filter((name) => processes[name]!.seals).length);
  });

  it('NATS gets the public key of every user that its configuration names', () => {
    const configuration = readFileSync(join(root, 'charts/group-payments/bundled/nats.conf'), 'utf8');
    const users = [...configuration.matchAll(/\$(NATS_KEY_\w+)/g)].map(([, key]) => key);
    expect(users.length).toBeGreaterThan(names.length);
    expect(Object.keys(secrets['nats']!).toSorted()).toEqual(users.toSorted());
  });

  it('an address of another container leads to a port of it, in a network that both have', () => {
    const listening: Readonly<Record<string, readonly number[]>> = {
      postgres: [5432],
      nats: [4222],
      ...Object.fromEntries(
        names.map((name) => [name, Object.values(processes[name]!.ports ?? {}).map(({ number }) => number)]),
      ),
    };
    let seen = 0;
    for (const [name, service] of Object.entries(file.services).filter(([one]) => one !== 'secrets'))
      for (const [, host = '', port] of JSON.stringify(readEnvironment(service)).matchAll(
        /(?<![\w.-])([a-z][a-z-]*):(\d+)/g,
      )) {
        if (host === 'localhost') continue;
        seen += 1;
        expect([name, host, listening[host]]).toEqual([name, host, expect.arrayContaining([Number(port)])]);
        const shared = listNetworks(name).filter((network) => listNetworks(host).includes(network));
        expect([name, host, shared.length > 0]).toEqual([name, host, true]);
      }
    expect(seen).toBeGreaterThan(40);
  });

  it.each([
    ['an expression without a rule', '{{ .Release.Name }}'],
    ['a value that is not there', '{{ .Values.no }}'],
  ])('a template of the chart with %s stops the generator', (_title, template) => {
    expect(() => renderSetting(template)).toThrow();
  });
});
