import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import { openRunServers } from '../libs/testing/src/run-servers.ts';

// Every generate.ts writes the files it answers for when it is loaded: one process for all of them, since each by itself
// would load the same modules and start a Postgres again. The description of the interface comes first, others read it.
const FIRST = 'libs/reference/test/generate.ts';

const cwd = resolve(import.meta.dirname, '..');
const found = globSync('{libs,services,test}/**/generate.ts', { cwd, exclude: ['**/node_modules'] });
const others = found.filter((script) => script !== FIRST).sort();

const servers = await openRunServers({ postgresUrl: process.env.GP_TEST_PG_URL });
process.env.GP_TEST_SERVERS = servers.url;
try {
  for (const script of [FIRST, ...others]) await generate(script);
} finally {
  await servers.close();
}

async function generate(script) {
  try {
    await import(resolve(cwd, script));
  } catch (cause) {
    throw new Error(`${script} failed`, { cause });
  }
}
