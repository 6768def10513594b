import { expect, it } from '@jest/globals';
import pg from 'pg';
import { eventually, ownPostgres } from '../src/index.ts';

async function ask(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  try {
    await client.connect();
    return ((await client.query<{ answer: string }>(`select 'up' as answer`)).rows[0] ?? { answer: '' })
      .answer;
  } finally {
    await client.end();
  }
}

it('an own server can be stopped and started again at the same address', async () => {
  const server = await ownPostgres();
  expect(await ask(server.url)).toBe('up');
  await server.kill();
  await expect(ask(server.url)).rejects.toThrow(/ECONNREFUSED/);
  await server.up();
  expect(await ask(server.url)).toBe('up');
  await server.stop();
});

it('a wait for a value reports the last reason when there is none in time', async () => {
  let asked = 0;
  const third = await eventually(() => (++asked === 3 ? Promise.resolve(asked) : Promise.resolve(undefined)));
  expect(third).toBe(3);
  const never = eventually(() => Promise.reject(new Error('still closed')), { withinMs: 50 });
  await expect(never).rejects.toThrow(/within 50 ms.*still closed/);
});
