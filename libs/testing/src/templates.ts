import { createHash, randomBytes } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { migrate, ownerOf } from '@gp/pg';
import pg from 'pg';

/** One schema and the folders of its migrations, in the order they apply. */
export type SchemaSource = { readonly schema: string; readonly directories: readonly string[] };

/** The password of every role of a test database. */
export const rolePassword = 'test';

/**
 * Creates databases that are already migrated. Each distinct set of migrations is run once, into a template; a
 * database is a clone of it, which takes about as long as a few inserts.
 */
export type Templates = {
  clone(schemas: readonly SchemaSource[]): Promise<string>;
  drop(database: string): Promise<void>;
};

/** Manages the templates of one server. Nothing but this module creates databases whose name starts with `gp_`. */
export function openTemplates(adminUrl: string): Templates {
  // One after the other: migrations of two templates would alter the same roles.
  let queue: Promise<unknown> = Promise.resolve();
  const built = new Map<string, Promise<string>>();

  return {
    async clone(schemas) {
      const template = `gp_template_${await fingerprint(schemas)}`;
      let ready = built.get(template);
      if (!ready) {
        ready = queue.then(() => ensureTemplate(adminUrl, template, schemas));
        queue = ready.catch(() => undefined);
        built.set(template, ready);
        ready.catch(() => built.delete(template));
      }
      await ready;
      const name = `gp_test_${randomBytes(6).toString('hex')}`;
      await asAdmin(adminUrl, async (admin) => {
        await admin.query(`create database ${name} template ${template}`);
        // A template does not pass on the rights on its database.
        await admin.query(`revoke all on database ${name} from public`);
        for (const { schema } of schemas) {
          await admin.query(`grant connect on database ${name} to ${admin.escapeIdentifier(schema)}`);
        }
      });
      return name;
    },
    async drop(database) {
      if (!/^gp_test_[0-9a-f]+$/.test(database)) throw new Error(`${database} is no test database.`);
      await asAdmin(adminUrl, (admin) => admin.query(`drop database if exists ${database} with (force)`));
    },
  };
}

/** Returns the server's URL with another database, and with a role of that database when one is named. */
export function databaseUrl(adminUrl: string, database: string, role?: string): string {
  const url = new URL(adminUrl);
  url.pathname = `/${database}`;
  if (role !== undefined) {
    url.username = role;
    url.password = rolePassword;
  }
  return url.toString();
}

/** Returns the superuser's URL with a session that acts as the owner of a schema. */
export function ownerUrl(adminUrl: string, database: string, schema: string): string {
  const url = new URL(databaseUrl(adminUrl, database));
  url.searchParams.set('options', `-c role=${ownerOf(schema)} -c search_path=${schema}`);
  return url.toString().replaceAll('+', '%20');
}

/** Only a marked template is used, so that an interrupted build is never cloned. */
async function ensureTemplate(
  adminUrl: string,
  name: string,
  schemas: readonly SchemaSource[],
): Promise<string> {
  await asAdmin(adminUrl, async (admin) => {
    // An external server may be shared with another run.
    await admin.query(`select pg_advisory_lock(hashtext('gp test templates'))`);
    const { rows } = await admin.query<{ datistemplate: boolean }>(
      'select datistemplate from pg_database where datname = $1',
      [name],
    );
    if (rows[0]?.datistemplate) return;
    await admin.query(`drop database if exists ${name} with (force)`);
    await admin.query(`create database ${name}`);
    const url = databaseUrl(adminUrl, name);
    for (const { schema, directories } of schemas) {
      await migrate({ url, schema, role: schema, password: rolePassword, directories });
    }
    await admin.query(`alter database ${name} is_template true`);
  });
  return name;
}

async function fingerprint(schemas: readonly SchemaSource[]): Promise<string> {
  const hash = createHash('sha256');
  for (const { schema, directories } of schemas) {
    hash.update(`\0schema ${schema} of ${ownerOf(schema)}`);
    for (const directory of directories) {
      const names = (await readdir(directory)).filter((name) => name.endsWith('.sql')).sort();
      hash.update(`\0source ${basename(dirname(resolve(directory)))}`);
      for (const name of names) hash.update(`\0${name}\0${await readFile(join(directory, name), 'utf8')}`);
    }
  }
  return hash.digest('hex').slice(0, 16);
}

async function asAdmin<T>(adminUrl: string, work: (admin: pg.Client) => Promise<T>): Promise<T> {
  const admin = new pg.Client({ connectionString: adminUrl });
  await admin.connect();
  try {
    return await work(admin);
  } finally {
    await admin.end();
  }
}
