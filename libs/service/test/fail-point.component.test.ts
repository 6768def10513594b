import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { endAll, start } from './child.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'group-payments-test-'));
});
afterAll(() => rm(directory, { recursive: true }));
afterEach(endAll);

async function run(env: Record<string, string>): Promise<{ signal: string | null; passed: string[] }> {
  const child = start('fail-point', env);
  const { signal } = await child.ended;
  return { signal, passed: child.lines.map((line) => line.msg) };
}

const all = ['first', 'second', 'third'];

it('a process dies at its fail point and at no other', async () => {
  expect(await run({})).toEqual({ signal: null, passed: all });
  expect(await run({ GP_FAIL_POINT: 'probe.commit' })).toEqual({ signal: null, passed: all });
});

it('the process is killed the first time it reaches the point, before anything more happens', async () => {
  expect(await run({ GP_FAIL_POINT: 'probe.commit.after' })).toEqual({ signal: 'SIGKILL', passed: [] });
});

it('the process is killed at the requested time', async () => {
  const GP_FAIL_POINT = 'probe.commit.before:3';
  expect(await run({ GP_FAIL_POINT })).toEqual({ signal: 'SIGKILL', passed: ['first', 'second'] });
});

it('only the first process dies when a file is to be left behind', async () => {
  const env = { GP_FAIL_POINT: 'probe.commit.before:2', GP_FAIL_POINT_ONCE_FILE: join(directory, 'died') };
  expect(await run(env)).toEqual({ signal: 'SIGKILL', passed: ['first'] });
  expect(await run(env)).toEqual({ signal: null, passed: all });
});

it('each of several points kills one process', async () => {
  const env = {
    GP_FAIL_POINT: 'probe.commit.after,probe.commit.before:3',
    GP_FAIL_POINT_ONCE_FILE: join(directory, 'several'),
  };
  expect(await run(env)).toEqual({ signal: 'SIGKILL', passed: [] });
  expect(await run(env)).toEqual({ signal: 'SIGKILL', passed: ['first', 'second'] });
  expect(await run(env)).toEqual({ signal: null, passed: all });
});
