import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { eventually } from '@gp/testing';
import { isAlive } from '../src/servers/processes.ts';
import { superviseProcess } from '../src/supervisor.ts';
import { exists, living, program, stopPrograms, type Program } from './programs.ts';

afterEach(stopPrograms);

const readPid = (p: Program) => p.describe().pid ?? 0;
const alive = (p: Program, lives = 1) =>
  eventually(() => p.lines.filter((line) => line.startsWith('alive')).length >= lives || undefined);

describe('a killed process', () => {
  it('a killed process restarts by itself, as another process', async () => {
    const p = program(living);
    await p.start();
    await alive(p);
    const first = readPid(p);
    await p.kill();
    expect(exists(first)).toBe(false);
    const second = await eventually(() => p.describe().pid ?? undefined);
    expect(second).not.toBe(first);
    await alive(p, 2);
    expect(p.describe()).toEqual({ name: 'program', pid: second, state: 'running', restarts: 1 });
  });

  it('a process that was killed from outside restarts', async () => {
    const p = program(living);
    await p.start();
    await alive(p);
    process.kill(readPid(p), 'SIGKILL');
    await alive(p, 2);
  });

  it('a process that cannot stay up is tried again and again', async () => {
    const p = program(`console.log('alive'); process.exit(3);`);
    await p.start();
    await alive(p, 4);
    expect(p.describe().restarts).toBeGreaterThanOrEqual(3);
  });

  it('a killed process is restarted within 2 s, and the first time almost at once', async () => {
    const timers = jest.spyOn(globalThis, 'setTimeout');
    const p = program(`console.log('alive'); process.exit(3);`);
    await p.start();
    await alive(p, 4);
    await p.stop();
    const waits = timers.mock.calls.filter(([work]) => work.name === 'launch').map(([, ms = 0]) => ms);
    timers.mockRestore();
    expect(waits.length).toBeGreaterThanOrEqual(3);
    expect(waits[0]).toBeLessThan(100);
    expect(Math.max(...waits)).toBeLessThan(2_000);
  });

  it('a program that cannot be started is reported and tried again', async () => {
    const lines: string[] = [];
    const spec = { name: 'gone', command: process.execPath, args: [], cwd: '/no/such/folder', env: {} };
    const p = superviseProcess(spec, { onLine: (_name, line) => lines.push(line) });
    await p.start();
    await eventually(() => lines.length >= 2 || undefined);
    await p.stop();
    expect(lines[0]).toMatch(/could not be started/);
    expect(p.describe()).toMatchObject({ pid: null, state: 'stopped' });
  });
});

describe('a stopped process', () => {
  it('a stopped process gets SIGTERM first, and everything that it prints until its end is logged', async () => {
    const p = program(`
      process.on('SIGTERM', () => { console.log('x\\n'.repeat(25_000) + 'ending'); process.exit(0); });
      setInterval(() => undefined, 1000);
      console.log('alive');`);
    await p.start();
    await alive(p);
    await p.stop();
    expect([p.lines.length, p.lines.at(-1)]).toEqual([25_002, 'ending']);
    expect(p.describe()).toEqual({ name: 'program', pid: null, state: 'stopped', restarts: 0 });
  });

  it('a stopped process stays down, also when it was about to be started again', async () => {
    const p = program(`console.log('alive'); process.exit(3);`);
    await p.start();
    await eventually(() => p.describe().state === 'restarting' || undefined);
    await p.stop();
    const { restarts } = p.describe();
    const said = p.lines.length;
    // Another program, started and restarted meanwhile, is the clock: the stopped one had time enough to restart.
    const clock = program(`console.log('alive'); process.exit(3);`);
    await clock.start();
    await alive(clock, 4);
    expect(p.describe()).toEqual({ name: 'program', pid: null, state: 'stopped', restarts });
    expect(p.lines).toHaveLength(said);
  });

  it('a stopped process may be stopped twice, and killed without effect', async () => {
    const p = program(living);
    await p.start();
    await alive(p);
    await Promise.all([p.stop(), p.stop()]);
    await p.kill();
    expect(p.describe().state).toBe('stopped');
  });

  it('a process started while it still ends waits for that: there are never two', async () => {
    const p = program(`
      process.on('SIGTERM', () => setTimeout(() => { console.log('ending'); process.exit(0); }, 300));
      setInterval(() => undefined, 1000);
      console.log('alive');`);
    await p.start();
    await alive(p);
    const stopped = p.stop();
    await p.start();
    await stopped;
    await alive(p, 2);
    expect(p.lines).toEqual(['alive', 'ending', 'alive']);
    expect(p.describe()).toMatchObject({ state: 'running', restarts: 0 });
  });
});

describe('the environment', () => {
  const telling = `console.log('alive', process.env.A, process.env.B); setInterval(() => undefined, 1000);`;

  it('an environment given with a start lasts through crashes until the next stop', async () => {
    const p = program(telling, { A: 'own' });
    await p.start({ B: 'given' });
    await alive(p);
    await p.kill();
    await alive(p, 2);
    await p.stop();
    await p.start();
    await alive(p, 3);
    expect(p.lines).toEqual(['alive own given', 'alive own given', 'alive own undefined']);
  });

  it('the environment of a process is no more than what was given', async () => {
    process.env['GP_SENTINEL'] = 'x';
    const p = program(`console.log('alive', process.env.GP_SENTINEL); setInterval(() => undefined, 1000);`);
    await p.start();
    await alive(p);
    delete process.env['GP_SENTINEL'];
    expect(p.lines).toEqual(['alive undefined']);
  });
});

it('the supervisor logs whole lines of both streams, however a process writes them', async () => {
  const p = program(`
    process.stdout.write('al'); process.stdout.write('ive\\nzwei \\u{1f98a}\\nlast');
    process.stderr.write('wrong\\n', () => process.exit(0));`);
  await p.start();
  await eventually(() => p.describe().restarts > 0 || undefined);
  await p.stop();
  expect(p.lines.slice(0, 4).sort()).toEqual(['alive', 'last', 'wrong', 'zwei \u{1f98a}']);
});

it('a supervisor that is killed leaves no process behind', async () => {
  const supervisor = new URL('../src/supervisor.ts', import.meta.url).href;
  const script = `
    const { superviseProcess } = await import(${JSON.stringify(supervisor)});
    const args = ['--eval', 'console.log("alive"); setInterval(() => undefined, 1000); process.on("SIGTERM", () => 0)'];
    const spec = { name: 'child', command: process.execPath, args, cwd: '/', env: {} };
    const child = superviseProcess(spec, { onLine: () => process.stdout.write(child.describe().pid + '\\n') });
    await child.start();`;
  const parent = spawn(process.execPath, ['--no-warnings', '--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [told] = (await once(parent.stdout, 'data')) as [Buffer];
  const orphan = Number(told.toString());
  expect(await isAlive(orphan)).toBe(true);
  parent.kill('SIGKILL');
  await once(parent, 'close');
  await eventually(async () => !(await isAlive(orphan)) || undefined);
});
