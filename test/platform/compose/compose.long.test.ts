import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { processes } from '../processes.ts';
import { findEngine, openEngineHost } from './engine-host.ts';
import { openProcessHost } from './process-host.ts';
import { openContainers, type Containers } from './run-containers.ts';

/** Includes building the image. */
const START_MS = 1_200_000;

const names = Object.keys(processes);
const engine = await findEngine();
const hosts = [
  { place: 'as processes of one machine', open: openProcessHost },
  ...(engine
    ? [{ place: 'in the container engine of this machine', open: () => openEngineHost(engine) }]
    : []),
];

describe.each(hosts)('the containers of the compose file, $place', ({ open }) => {
  let containers: Containers;
  beforeAll(async () => {
    containers = openContainers(await open());
    await containers.up();
  }, START_MS);
  afterAll(() => containers?.remove());

  it('the demo group is paid on a platform that began without secrets, schemas and streams (Q59)', async () => {
    expect(await containers.run('demo-group')).toEqual({
      code: 0,
      out: expect.stringMatching(/^group payment \S+ is paid; its merchant signs in as \S+ with \S+\n$/),
      errors: '',
    });
  });

  it('the smoke test reaches every process with HTTP and pays a group (Q59)', async () => {
    const count = names.filter((name) => processes[name]!.ports?.['http']).length;
    expect(await containers.run('smoke-test')).toEqual({
      code: 0,
      out: expect.stringMatching(new RegExp(`^${count} services answer, and group payment \\S+ is paid\n$`)),
      errors: '',
    });
  });

  it('an operator lists the tasks under the identity of operators', async () => {
    const { code, out } = await containers.run('operator', 'tasks', 'list', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toBeDefined();
  });

  it('the tasks change nothing when they run again (Q59)', async () => {
    expect(await containers.run('secrets')).toMatchObject({
      code: 0,
      out: 'every secret was there with all its keys\n',
    });
    expect(await containers.run('migrate-refund')).toMatchObject({ code: 0, out: 'refund is up to date\n' });
    expect(await containers.run('streams')).toMatchObject({ code: 0 });
  });

  it('every process ends with 0 when it is asked to', async () => {
    expect(await containers.stop(names)).toEqual(Object.fromEntries(names.map((name) => [name, 0])));
  });
});
