import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { processes, root } from '../processes.ts';
import { readComposeFile } from './compose-file.ts';

const file = readComposeFile();
const names = Object.keys(processes);
const tasks = Object.keys(file.services).filter(
  (name) => !file.services[name]!.restart && !file.services[name]!.profiles,
);
const isServer = (name: string) => ['postgres', 'nats'].includes(name);

const listNetworks = (name: string) => file.services[name]!.networks ?? [];

describe('the containers of the compose file', () => {
  it('every container runs without root, capabilities, a way up, and anything to write to but its volumes (Q59)', () => {
    for (const [name, service] of Object.entries(file.services)) {
      expect([name, service]).toEqual([
        name,
        expect.objectContaining({
          user: expect.stringMatching(/^[1-9]\d*:[1-9]\d*$/),
          cap_drop: ['ALL'],
          security_opt: ['no-new-privileges:true'],
          read_only: true,
        }),
      ]);
      for (const more of ['privileged', 'cap_add', 'devices', 'pid', 'ipc', 'userns_mode'])
        expect(Object.keys(service)).not.toContain(more);
    }
  });

  it('a folder in memory belongs to the user of its container, and nobody else may use it', () => {
    const folders = Object.entries(file.services).flatMap(([name, { user, tmpfs = [] }]) =>
      tmpfs.map((entry) => {
        const [path = '', ...options] = entry.split(':');
        const [uid, gid] = user.split(':');
        expect([name, options]).toEqual([name, [`uid=${uid},gid=${gid},mode=0700`]]);
        return path;
      }),
    );
    expect(folders).toEqual(expect.arrayContaining(['/tmp', '/var/run/postgresql', '/var/mailbox']));
  });

  it('addresses of browsers are published, on 127.0.0.1 alone, and nothing else is (Q59)', () => {
    const published = names.flatMap((name) =>
      (file.services[name]!.ports ?? []).map((port) => {
        const [, outside = '', inside] = /^127\.0\.0\.1:(\d+):(\d+)$/.exec(port) ?? [];
        expect([name, inside]).toEqual([name, file.services[name]!.environment!['PORT']]);
        return outside;
      }),
    );
    const others = Object.keys(file.services).filter((name) => !names.includes(name));
    expect(others.filter((name) => file.services[name]!.ports)).toEqual([]);
    const addresses = Object.values(file.services).flatMap(({ environment = {} }) =>
      [...JSON.stringify(environment).matchAll(/http:\/\/localhost:(\d+)/g)].map(([, port]) => port),
    );
    expect(published.length).toBeGreaterThan(4);
    expect(published.toSorted()).toEqual([...new Set(addresses)].toSorted());
  });

  it('the servers are in one network without a way out, and the task that makes secrets is in none', () => {
    expect(['postgres', 'nats'].map(listNetworks)).toEqual([['servers'], ['servers']]);
    expect(file.networks['servers']).toEqual({ internal: true });
    expect(file.services['secrets']).toMatchObject({ network_mode: 'none' });
    expect(file.services['secrets']!.networks).toBeUndefined();
  });

  it('the images are ours, which one container builds, and those of the servers that the chart has', () => {
    const chart = readFileSync(join(root, 'charts/group-payments/values.yaml'), 'utf8');
    for (const [name, { image }] of Object.entries(file.services)) {
      if (isServer(name)) expect(chart).toContain(`image: ${image}\n`);
      else expect([name, image]).toEqual([name, '${GP_IMAGE:-group-payments:dev}']);
    }
    expect(Object.keys(file.services).filter((name) => file.services[name]!['build'])).toEqual(['secrets']);
  });

  it('another configuration of NATS makes another container of it, and Postgres has the connections of the chart', () => {
    const { labels, volumes = [] } = file.services['nats']!;
    const { source } = volumes.find(({ type }) => type === 'bind')!;
    const checksum = createHash('sha256')
      .update(readFileSync(join(root, source)))
      .digest('hex');
    expect(labels).toEqual({ 'checksum/config': checksum });
    const chart = readFileSync(join(root, 'charts/group-payments/templates/_bundled.tpl'), 'utf8');
    const [, connections = 'none'] = /args: \[-c, (max_connections=\d+)\]/.exec(chart) ?? [];
    expect(file.services['postgres']!.entrypoint!.at(-1)).toMatch(new RegExp(`-c ${connections}$`));
  });

  it('every volume, network and file that a container uses is there, and every one that is declared is used', () => {
    const services = Object.values(file.services);
    const mounts = services.flatMap(({ volumes = [] }) => volumes);
    const used = mounts.filter(({ type }) => type === 'volume').map(({ source }) => source);
    expect([...new Set(used)].toSorted()).toEqual(Object.keys(file.volumes).toSorted());
    const bound = mounts.filter(({ type }) => type === 'bind');
    expect(bound).toHaveLength(1);
    for (const { source, read_only: isReadOnly } of bound)
      expect([source, existsSync(join(root, source)), isReadOnly]).toEqual([source, true, true]);
    const networks = services.flatMap(({ networks: own = [] }) => own);
    expect([...new Set(networks)].toSorted()).toEqual(Object.keys(file.networks).toSorted());
    expect(Object.keys(file)).not.toContain('version');
  });
});

describe('the order of the compose file', () => {
  it('each container waits for containers that are there, and for none that waits for it', () => {
    const started = new Set<string>();
    const waiting = new Set(Object.keys(file.services));
    for (let before = -1; before !== started.size;) {
      before = started.size;
      for (const name of waiting) {
        const needed = Object.keys(file.services[name]!.depends_on ?? {});
        if (needed.every((one) => started.has(one)) && waiting.delete(name)) started.add(name);
      }
    }
    expect([...waiting]).toEqual([]);
  });

  it('secrets come first, then the servers, then migrations and streams, then the processes (Q59)', () => {
    const completed = { condition: 'service_completed_successfully' };
    const waits = (name: string) => file.services[name]!.depends_on;
    expect(waits('secrets')).toBeUndefined();
    expect([waits('postgres'), waits('nats')]).toEqual([{ secrets: completed }, { secrets: completed }]);
    expect(waits('streams')).toEqual({ secrets: completed, nats: { condition: 'service_healthy' } });
    for (const name of names) {
      const migration = `migrate-${name}`;
      expect(waits(migration)).toEqual({ secrets: completed, postgres: { condition: 'service_healthy' } });
      expect(waits(name)).toEqual({ [migration]: completed, streams: completed });
    }
  });

  it('`up --wait` ends well: what goes on has a health check, and the end of each task is waited for', () => {
    const awaited = Object.values(file.services).flatMap((service) =>
      Object.entries(service.depends_on ?? {}).flatMap(([name, { condition }]) =>
        condition === 'service_completed_successfully' ? [name] : [],
      ),
    );
    expect([...new Set(awaited)].toSorted()).toEqual(tasks.toSorted());
    for (const [name, service] of Object.entries(file.services))
      expect([name, service.healthcheck !== undefined]).toEqual([name, service.restart !== undefined]);
  });

  it('an errand of a person is started by nobody else, and one that pays waits for the whole platform', () => {
    const errands = Object.keys(file.services).filter((name) => file.services[name]!.profiles);
    expect(errands).toEqual(['demo-group', 'smoke-test', 'operator']);
    for (const name of ['demo-group', 'smoke-test'])
      expect(Object.keys(file.services[name]!.depends_on!)).toEqual(names);
  });
});
