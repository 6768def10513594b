import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { processes } from '../processes.ts';
import { openContainers, type Containers } from './run-containers.ts';

const TEN_MINUTES = 600_000;

let containers: Containers;
beforeAll(async () => {
  containers = await openContainers();
  await containers.up();
}, TEN_MINUTES);
afterAll(() => containers?.remove());

const names = Object.keys(processes);

describe('the containers of the compose file, as processes of one machine', () => {
  it('the demo group is paid on a platform that began without secrets, schemas and streams (Q59)', async () => {
    const { code, out, errors } = await containers.run('demo-group');
    expect({ code, errors }).toEqual({ code: 0, errors: '' });
    expect(out).toMatch(/^group payment \S+ is paid; its merchant signs in as \S+ with \S+\n$/);
  });

  it('the smoke test reaches every process with HTTP and pays a group (Q59)', async () => {
    const count = names.filter((name) => processes[name]!.ports?.['http']).length;
    const { code, out, errors } = await containers.run('smoke-test');
    expect({ code, errors }).toEqual({ code: 0, errors: '' });
    expect(out).toMatch(new RegExp(`^${count} services answer, and group payment \\S+ is paid\n$`));
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
    expect(await containers.stop()).toEqual(Object.fromEntries(names.map((name) => [name, 0])));
  });
});
