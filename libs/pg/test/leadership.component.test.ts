import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventually, testDatabase } from '@gp/testing';
import { openPg, unprepared } from '../src/index.ts';
import { openTrial, rejection, type Trial } from './scratch.ts';

let trial: Trial;
beforeAll(async () => {
  trial = await openTrial();
});
afterAll(() => trial.close());

const backend = unprepared<{ pid: number }>('select pg_backend_pid() as pid');
const endBackend = unprepared('select pg_terminate_backend($1)');

it('one of many candidates leads, and the next one can when it gives up', async () => {
  const candidates = [1, 2, 3].map(() => trial.db.leadership('one'));
  const answers = await Promise.all(candidates.map((c) => c.claim()));
  expect(answers.filter(Boolean)).toHaveLength(1);
  const leader = candidates[answers.indexOf(true)];
  const standby = candidates[answers.indexOf(false)];
  expect(await leader?.claim()).toBe(true);
  await expect(standby?.query(backend)).rejects.toMatchObject({ code: 'service_unavailable' });
  await leader?.release();
  expect(leader?.isHeld()).toBe(false);
  await eventually(async () => ((await standby?.claim()) === true ? true : undefined));
  await Promise.all(candidates.map((c) => c.release()));
});

it('a leader whose connection died learns it, cannot act any more, and another takes over', async () => {
  const [first, second] = [trial.db.leadership('two'), trial.db.leadership('two')];
  let calls = 0;
  first.onCall(() => (calls += 1));
  await first.claim();
  const [row] = await first.query(backend);
  const admin = await openPg({ url: trial.database.adminUrl, name: 'admin', max: 1 });
  await admin.query(endBackend, [row?.pid]);
  await admin.close();
  await eventually(() => calls === 1 || undefined);
  await eventually(async () => ((await second.claim()) ? true : undefined));
  expect(await rejection(first.query(backend))).toMatchObject({ code: 'service_unavailable' });
  expect([first.isHeld(), await first.claim()]).toEqual([false, false]);
  await Promise.all([first.release(), second.release()]);
});

it('a leader holds its session at the direct address, whatever becomes of the pooler', async () => {
  const directUrl = trial.database.adminUrl;
  const away = Object.assign(new URL(directUrl), { port: '1' });
  const db = await openPg({ url: away.href, directUrl, name: 'direct', max: 1 });
  const leader = db.leadership('direct');
  expect(await rejection(db.ping())).toMatchObject({ code: 'service_unavailable' });
  expect(await leader.claim()).toBe(true);
  await leader.release();
  await db.close();
});

it('every candidate can call the one that leads, and no other hears it', async () => {
  const [leader, standby, other] = [
    trial.db.leadership('called'),
    trial.db.leadership('called'),
    trial.db.leadership('other'),
  ];
  const heard: string[] = [];
  leader.onCall(() => heard.push('leader'));
  standby.onCall(() => heard.push('standby'));
  other.onCall(() => heard.push('other'));
  expect([await leader.claim(), await standby.claim(), await other.claim()]).toEqual([true, false, true]);
  await standby.call();
  await eventually(() => heard.length === 1 || undefined);
  await leader.release();
  await eventually(async () => ((await standby.claim()) ? true : undefined));
  await leader.call();
  await eventually(() => heard.length === 2 || undefined);
  expect(heard).toEqual(['leader', 'standby']);
  await Promise.all([standby.release(), other.release()]);
});

it('the lead needs none of the pool’s connections', async () => {
  const db = await trial.open(1);
  const leader = db.leadership('three');
  await db.transaction(async () => {
    expect(await leader.claim()).toBe(true);
  });
  await leader.release();
});

it('purposes and schemas do not compete', async () => {
  const database = await testDatabase({
    schemas: ['lead_a', 'lead_b'].map((schema) => ({ schema, directories: [] })),
  });
  const [a, b] = await Promise.all(
    ['lead_a', 'lead_b'].map((schema) => openPg({ url: database.url(schema), name: schema })),
  );
  const leaders = [a, b].flatMap((db) => (db ? ['x', 'y'].map((purpose) => db.leadership(purpose)) : []));
  expect(await Promise.all(leaders.map((l) => l.claim()))).toEqual([true, true, true, true]);
  await Promise.all(leaders.map((l) => l.release()));
  await Promise.all([a?.close(), b?.close()]);
  await database.drop();
});
