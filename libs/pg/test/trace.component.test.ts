import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { setStatementTrace, statement, unprepared, type DatabaseName, type Statement } from '../src/index.ts';
import { openTrial, type Trial } from './scratch.ts';

let trial: Trial;
beforeAll(async () => (trial = await openTrial()));
afterEach(() => setStatementTrace());
afterAll(() => trial.close());

it('every statement runs inside the installed hook, which is told its name and its database and no value', async () => {
  const seen: { statement: Statement; database: DatabaseName; rows?: unknown; failure?: unknown }[] = [];
  setStatementTrace(async (described, database, execute) => {
    const run: (typeof seen)[number] = { statement: described, database };
    seen.push(run);
    try {
      const result = await execute();
      run.rows = (result as { rows: unknown }).rows;
      return result;
    } catch (error) {
      run.failure = (error as { code: unknown }).code;
      throw error;
    }
  });
  const double = statement<{ twice: number }>('trace-double', 'select $1::int * 2 as twice');
  await trial.db.transaction((tx) => tx.query(double, [21]));
  await trial.db.query(unprepared('select 1 / 0')).catch(() => undefined);

  expect(seen.map(({ statement: { name, text } }) => name || text)).toEqual([
    ...['begin', 'trace-double', 'commit', 'select 1 / 0'],
  ]);
  expect([seen[1]?.rows, seen[3]?.failure]).toEqual([[{ twice: 42 }], '22012']);
  const { hostname, port, pathname } = new URL(trial.database.ownerUrl('trial'));
  for (const { database } of seen)
    expect(database).toEqual({ address: hostname, port: Number(port), name: pathname.slice(1) });
});
