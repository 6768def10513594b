import pg from 'pg';
import { AppError } from '@gp/errors';
import { translate } from './failures.ts';
import { queryConfig, type Queryable } from './queryable.ts';
import { statement, unprepared, type Statement } from './statement.ts';

/**
 * One of many equal processes leads: it holds a session advisory lock on its own connection. Statements sent
 * through it run on that very connection, so a leader that lost its lock cannot go on.
 */
export interface Leadership extends Queryable {
  /**
   * Returns true when this process leads now, after trying to take the lock if it did not; rejects when the
   * database is away.
   */
  claim(): Promise<boolean>;
  isHeld(): boolean;
  /** Releases the lock and the connection; a later `claim` may take them again. */
  release(): Promise<void>;
}

const tryLock = statement<{ taken: boolean }>(
  'pg-try-lead',
  `select pg_try_advisory_lock(hashtextextended($1 || ':' || current_schema(), 0)) as taken`,
);

/** A leader whose machine vanished must not keep the lock for the two hours of the system's keep-alive. */
const noticeDeadPeer = unprepared(
  'set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3',
);

/** See Db.leadership; each leader has a connection of its own with these options. */
export function leadership(options: pg.ClientConfig, purpose: string): Leadership {
  let session: Session | undefined;
  let isLeader = false;
  const isHeld = (): boolean => isLeader && session?.isAlive() === true;

  return {
    isHeld,
    async claim() {
      if (isHeld()) return true;
      isLeader = false;
      if (session?.isAlive() !== true) session = await openSession(options);
      const [row] = await session.query(tryLock, [purpose]);
      isLeader = row?.taken === true;
      return isLeader;
    },
    async query(s, values) {
      if (session === undefined || !isHeld()) {
        throw new AppError(
          'service_unavailable',
          {},
          { cause: new Error(`${purpose}: leadership was lost`) },
        );
      }
      return session.query(s, values);
    },
    async release() {
      isLeader = false;
      const closing = session;
      session = undefined;
      await closing?.close();
    },
  };
}

type Session = Queryable & { isAlive(): boolean; close(): Promise<void> };

async function openSession(options: pg.ClientConfig): Promise<Session> {
  const client = new pg.Client(options);
  let isAlive = true;
  const bury = (): void => {
    isAlive = false;
  };
  client.on('error', bury);
  client.on('end', bury);
  const close = async (): Promise<void> => {
    bury();
    await client.end().catch(() => undefined);
  };
  const query = async <Row>(s: Statement<Row>, values?: readonly unknown[]): Promise<Row[]> => {
    try {
      return (await client.query(queryConfig(s, values))).rows as Row[];
    } catch (e) {
      // After any error the lock may be lost; a new session settles it.
      await close();
      throw translate(e);
    }
  };
  await client.connect().catch((e: unknown) => {
    throw translate(e);
  });
  await query(noticeDeadPeer);
  return { isAlive: () => isAlive, query, close };
}
