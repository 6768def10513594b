import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { certificateFor, ownPostgres, type OwnServer } from '@gp/testing';
import { migrate, openPg, unprepared, type Db } from '../src/index.ts';
import { rejection, scratchFolder, type ScratchFolder } from './scratch.ts';

const isEncrypted = unprepared<{ ssl: boolean }>('select ssl from pg_stat_ssl where pid = pg_backend_pid()');

let folder: string;
let scratch: ScratchFolder;
let [server, elsewhere, plain]: OwnServer[] = [];
const opened: Db[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'group-payments-tls-'));
  scratch = await scratchFolder();
  const [own, other] = [certificateFor('localhost'), certificateFor('db.example')];
  for (const [name, { cert }] of Object.entries({ own, other }))
    await writeFile(join(folder, `${name}.crt`), cert);
  [server, elsewhere, plain] = await Promise.all([
    ownPostgres({ tls: own }),
    ownPostgres({ tls: other }),
    ownPostgres(),
  ]);
});
afterEach(async () => void (await Promise.all(opened.splice(0).map((db) => db.close()))));
afterAll(async () => {
  for (const each of [server, elsewhere, plain]) await each?.stop();
  await Promise.all([rm(folder, { recursive: true }), scratch.clear()]);
});

/** Returns the address of a server with its certificate verified by the authority. */
function verified(of: OwnServer | undefined, authority: 'own' | 'other', role?: string): string {
  const url = new URL(of?.url ?? '');
  url.hostname = 'localhost';
  if (role !== undefined) [url.username, url.password] = [role, 'test'];
  url.searchParams.set('sslmode', 'verify-full');
  url.searchParams.set('sslrootcert', join(folder, `${authority}.crt`));
  return url.href;
}

async function open(url: string): Promise<Db> {
  // On a busy machine an encrypted connection may take longer than a service waits for one.
  const db = await openPg({ url, name: 'tls', max: 1, connectTimeoutMs: 20_000 });
  opened.push(db);
  return db;
}

it('migrations, pool and leader are encrypted where the address names the authority (H5)', async () => {
  const sql = '--! expand\ncreate table items (id int);';
  const directories = [await scratch.write('tls', { '0001-items.sql': sql })];
  const made = { schema: 'secure', role: 'secure', password: 'test', directories };
  expect(await migrate({ url: verified(server, 'own'), ...made })).toEqual({
    applied: ['tls/0001-items.sql'],
  });
  const db = await open(verified(server, 'own', 'secure'));
  expect(await db.query(isEncrypted)).toEqual([{ ssl: true }]);
  const leader = db.leadership('tls');
  expect(await leader.claim()).toBe(true);
  expect(await leader.query(isEncrypted)).toEqual([{ ssl: true }]);
  await leader.release();
});

it.each([
  ['signed by another authority', () => verified(server, 'other'), /self.signed/i],
  ['of another host', () => verified(elsewhere, 'other'), /altnames|does not match/i],
])(
  'a server with a certificate %s is as good as away, and gets no password (H5)',
  async (_what, url, reason) => {
    const error = (await rejection((await open(url())).ping())) as { cause: Error };
    expect(error).toMatchObject({ code: 'service_unavailable' });
    expect(error.cause.message).toMatch(reason);
  },
);

it('a server without TLS is refused and not spoken to in clear (H5)', async () => {
  const error = (await rejection((await open(verified(plain, 'own'))).ping())) as { cause: Error };
  expect(error).toMatchObject({ code: 'service_unavailable' });
  expect(error.cause.message).toMatch(/does not support SSL/);
});

it('an authority whose file is missing ends the start with its name (H5)', async () => {
  const url = verified(server, 'own').replace('own.crt', 'missing.crt');
  await expect(open(url)).rejects.toThrow(/missing\.crt/);
});
