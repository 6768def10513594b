import { openRunServers } from '../libs/testing/src/run-servers.ts';

/** Before the first test file: starts the server that hands out databases. Workers inherit its address. */
export default async function open() {
  const servers = await openRunServers({ postgresUrl: process.env.GP_TEST_PG_URL });
  process.env.GP_TEST_SERVERS = servers.url;
  globalThis.closeTestServers = () => servers.close();
}
