import { access, constants } from 'node:fs/promises';
import pg from 'pg';
import { breaksConnection, translate } from './failures.ts';
import { tryBothPasswords } from './passwords.ts';
import { leadership, type Leadership } from './leadership.ts';
import { queryConfig, type Queryable } from './queryable.ts';
import { STATEMENT_TIMEOUT_MS } from './session-defaults.ts';
import type { Statement } from './statement.ts';
import { parseDatabaseName, traced, type DatabaseName } from './trace.ts';
import { valueTypes } from './value-types.ts';

export interface Db extends Queryable {
  /**
   * Runs `work` between begin and commit on one connection; any rejection rolls back and is rethrown.
   * A connection lost *during commit* rejects with `service_unavailable` although the server may have committed:
   * callers must be safe to repeat (command id, inbox row, guarded update), never assume it did not happen.
   */
  transaction<T>(work: (tx: Queryable) => Promise<T>): Promise<T>;
  /** Elects one leader per purpose and schema among all processes that ask, over a connection to `directUrl`. */
  leadership(purpose: string): Leadership;
  /** Rejects with `service_unavailable` unless the database answers. */
  ping(): Promise<void>;
  /** Waits for running work, then closes every connection. */
  close(): Promise<void>;
  readonly pool: pg.Pool;
}

export type PgOptions = {
  url: string;
  /** The server itself where `url` is a pooler in transaction mode: the lock of a leader belongs to a session. */
  directUrl?: string | undefined;
  name: string;
  /** Connections at most. */
  max?: number;
  /** Instead of the default of the service's role, which the migrations set. A pooler refuses it. */
  statementTimeoutMs?: number;
  /** How long to wait for a free or new connection. */
  connectTimeoutMs?: number;
  /** The password that a rotation brings: it counts from the moment that the server refuses the one in use. */
  nextPassword?: string | undefined;
};

/** Four connections keep two cores busy; more only queue inside Postgres, where nothing can shed them. */
const DEFAULT_MAX = 4;
/** The longest wait for a free or new connection: its caller has gone away after that. */
const DEFAULT_CONNECT_TIMEOUT_MS = 2_000;
/** A connection knows its prepared statements; a quiet minute is no reason to teach a new one. */
const IDLE_TIMEOUT_MS = 300_000;
/** The server's own timeout normally wins; this one notices a server that is gone without a word. */
const SILENCE_MARGIN_MS = 2_000;

const begin: Statement = { name: '', text: 'begin' };
const commitWork: Statement = { name: '', text: 'commit' };
const rollback: Statement = { name: '', text: 'rollback' };
const ping: Statement = { name: 'pg-ping', text: 'select 1' };

/**
 * Opens a pool that connects on use: a server that is down now or later makes calls reject with
 * `service_unavailable`, and the next call after its return works again. With `sslmode=verify-full` in the address,
 * connections are encrypted and the server's certificate is verified, by the authority in the file `sslrootcert` where
 * the address names one. Rejects when that file is missing.
 */
export async function openPg(o: PgOptions): Promise<Db> {
  const { url, directUrl = url, nextPassword } = o;
  await Promise.all([url, directUrl].map(assertAuthorityReadable));
  const pool = new pg.Pool(connectionConfig(o));
  const withEitherPassword = tryBothPasswords(pool.options, nextPassword);
  const connections = {
    connect: () => withEitherPassword(() => pool.connect()),
    database: parseDatabaseName(url),
  };
  const direct = connectionConfig({ ...o, url: directUrl });
  const directly = tryBothPasswords(direct, nextPassword);
  // Without listeners a lost connection, idle or in use, would end the process; its next query reports the loss.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  const query: Queryable['query'] = <Row>(s: Statement<Row>, values?: readonly unknown[]) =>
    onClient(connections, async (execute) => (await execute(s, values)).rows as Row[]);
  return {
    pool,
    query,
    transaction: (work) => onClient(connections, (execute) => runTransaction(execute, work)),
    leadership: (purpose) => leadership(() => directly(() => connectAlone(direct)), purpose, { query }),
    ping: async () => {
      await onClient(connections, (execute) => execute(ping));
    },
    close: () => pool.end(),
  };
}

/** Opens a connection outside of the pool. */
async function connectAlone(options: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client(options);
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** The driver reads the file at each connection, where its absence would look like a server that is away. */
async function assertAuthorityReadable(url: string): Promise<void> {
  const file = new URL(url).searchParams.get('sslrootcert');
  if (file !== null) await access(file, constants.R_OK);
}

function connectionConfig(o: PgOptions): pg.PoolConfig {
  const { statementTimeoutMs } = o;
  return {
    connectionString: o.url,
    application_name: o.name,
    max: o.max ?? DEFAULT_MAX,
    connectionTimeoutMillis: o.connectTimeoutMs ?? DEFAULT_CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    ...(statementTimeoutMs !== undefined && { statement_timeout: statementTimeoutMs }),
    query_timeout: (statementTimeoutMs ?? STATEMENT_TIMEOUT_MS) + SILENCE_MARGIN_MS,
    keepAlive: true,
    types: valueTypes,
  };
}

type Execute = (s: Statement, values?: readonly unknown[]) => Promise<pg.QueryResult>;

type Connections = { readonly connect: () => Promise<pg.PoolClient>; readonly database: DatabaseName };

/** Lends a connection and throws it away when it broke; `pool.query` would throw it away on *any* SQL error. */
async function onClient<T>(
  { connect, database }: Connections,
  work: (execute: Execute) => Promise<T>,
): Promise<T> {
  const client = await connect().catch((e: unknown) => {
    throw translate(e);
  });
  let isBroken = false;
  const execute: Execute = async (s, values) => {
    try {
      return await traced(s, database, () => client.query(queryConfig(s, values)));
    } catch (e) {
      isBroken ||= breaksConnection(e);
      throw translate(e);
    }
  };
  try {
    return await work(execute);
  } finally {
    client.release(isBroken);
  }
}

async function runTransaction<T>(execute: Execute, work: (tx: Queryable) => Promise<T>): Promise<T> {
  let isOpen = true;
  const tx: Queryable = {
    query: async <Row>(s: Statement<Row>, values?: readonly unknown[]) => {
      if (!isOpen) throw new Error(`statement "${s.name}" was sent after its transaction ended`);
      return (await execute(s, values)).rows as Row[];
    },
  };
  await execute(begin);
  try {
    const result = await work(tx);
    isOpen = false;
    await commit(execute);
    return result;
  } catch (e) {
    isOpen = false;
    // A rollback that fails marks the connection broken; closing it makes the server roll back.
    await execute(rollback).catch(() => undefined);
    throw e;
  }
}

/** Postgres answers a commit of an aborted transaction with a quiet ROLLBACK: swallowed errors must not look saved. */
async function commit(execute: Execute): Promise<void> {
  const { command } = await execute(commitWork);
  if (command !== 'COMMIT')
    throw new Error('nothing was committed: a statement failed and its error was swallowed');
}
