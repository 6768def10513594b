import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ownPostgres, runProgram, testNats, type OwnServer } from '@gp/testing';

const root = resolve(import.meta.dirname, '../../..');
const password = 'a-password-long-enough';

async function run(task: string, env: Readonly<Record<string, string>>) {
  const { child, ended } = runProgram(resolve(import.meta.dirname, `../src/${task}.ts`), [], env);
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
  return { code: (await ended).code, said };
}

describe('the tasks of an installation', () => {
  let postgres: OwnServer;
  let nats: OwnServer;
  beforeAll(async () => {
    [postgres, nats] = await Promise.all([ownPostgres(), testNats()]);
  });
  afterAll(() => Promise.all([postgres.stop(), nats.stop()]));

  it('the tasks of an installation bring a schema up to date, several at once and again with nothing to do', async () => {
    const env = {
      ADMIN_DATABASE_URL: postgres.url,
      SCHEMA: 'refund',
      ROLE_PASSWORD: password,
      DIRECTORIES: ['libs/outbox/migrations', 'services/refund/migrations']
        .map((path) => resolve(root, path))
        .join(),
    };
    const both = await Promise.all([run('migrate', env), run('migrate', env)]);
    expect(both.map(({ code }) => code)).toEqual([0, 0]);
    expect(both.filter(({ said }) => said.includes('applied:'))).toHaveLength(1);
    expect(await run('migrate', env)).toEqual({ code: 0, said: 'refund is up to date\n' });
  });

  it('the tasks of an installation make the streams, again and again', async () => {
    for (let time = 0; time < 2; time += 1)
      expect(await run('streams', { NATS_URL: nats.url, STREAM_REPLICAS: '1' })).toEqual({
        code: 0,
        said: 'the streams stand, with 1 of each message\n',
      });
  });

  it.each([
    ['migrate', { SCHEMA: 'Refund', ROLE_PASSWORD: 'short' }],
    ['streams', { STREAM_REPLICAS: '7' }],
    ['smoke-test', { SERVICES: 'nowhere' }],
    ['demo-group', { API_URL: 'nowhere' }],
  ])('the task %s reports every fault of its settings at once and repeats no secret', async (task, env) => {
    const { code, said } = await run(task, env);
    expect(code).toBe(78);
    expect(said).toMatch(/fault\(s\)/);
    expect(said).not.toContain('short');
  });

  it('the tasks of an installation log why they could not run, and fail', async () => {
    const { code, said } = await run('smoke-test', { SERVICES: 'checkout=http://127.0.0.1:9' });
    expect(code).toBe(1);
    expect(said).toBe('checkout does not answer at http://127.0.0.1:9\n');
  });
});
