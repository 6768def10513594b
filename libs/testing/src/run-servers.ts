import { rm } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startPostgres } from '@gp/stack';
import { createDataFolder, removeAbandonedFolders } from './data-folder.ts';
import { openPlatform } from './platform.ts';
import { openPlatformPool, type PlatformWish } from './platform-pool.ts';
import { onSomePort, testSettings } from './own-server.ts';
import { openTemplates, type SchemaSource, type Templates } from './templates.ts';

/** The servers that the test files of one run share: they use HTTP, because they are separate processes. */
export type RunServers = { readonly url: string; close(): Promise<void> };

type Shared = { adminUrl: string; templates: Templates; close(): Promise<void> };

/**
 * Starts the HTTP server from which test files get databases and platforms. Postgres and platforms start with the first request, so a
 * run of pure unit tests never waits for them; `postgresUrl` names a server that exists already.
 */
export async function openRunServers(o: { postgresUrl?: string | undefined } = {}): Promise<RunServers> {
  await removeAbandonedFolders();
  let shared: Promise<Shared> | undefined;
  const open = (): Promise<Shared> => (shared ??= openShared(o.postgresUrl));

  const platforms = openPlatformPool((settings) => openPlatform(settings));

  const answer = async (request: IncomingMessage): Promise<unknown> => {
    const given = await readJson(request);
    if (request.url === '/platform/lend') return platforms.lend(given as PlatformWish);
    if (request.url === '/platform/give-back') {
      platforms.giveBack((given as { id: number }).id);
      return {};
    }
    const { adminUrl, templates } = await open();
    if (request.url === '/clone') {
      return { adminUrl, database: await templates.clone((given as { schemas: SchemaSource[] }).schemas) };
    }
    if (request.url === '/drop') await templates.drop((given as { database: string }).database);
    return { adminUrl };
  };
  const server = createServer((request, response) => {
    response.setHeader('connection', 'close');
    answer(request).then(
      (value) => response.end(JSON.stringify(value)),
      (cause: unknown) => response.writeHead(500).end(cause instanceof Error ? cause.message : String(cause)),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await platforms.close();
      await (await shared)?.close();
    },
  };
}

async function openShared(postgresUrl: string | undefined): Promise<Shared> {
  if (postgresUrl) {
    return { adminUrl: postgresUrl, templates: openTemplates(postgresUrl), close: () => Promise.resolve() };
  }
  const dataDir = await createDataFolder();
  const server = await onSomePort((port) => startPostgres({ dataDir, port, settings: testSettings }));
  server.unref();
  return {
    adminUrl: server.url,
    templates: openTemplates(server.url),
    async close() {
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return JSON.parse(text || '{}');
}
