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
  /** Calls the leader, whichever process it is. Nobody hears a call while there is no leader. */
  call(): Promise<void>;
  /**
   * Receives the calls while this process leads, and one when its connection is lost, since nobody hears the calls after
   * that; the last listener given counts.
   */
  onCall(listener: () => void): void;
  /** Releases the lock and the connection; a later `claim` may take them again. */
  release(): Promise<void>;
}

const tryLock = statement<{ taken: boolean }>(
  'pg-try-lead',
  `select pg_try_advisory_lock(hashtextextended($1 || ':' || current_schema(), 0)) as taken`,
);

/** A channel is known to the whole database, so its name begins with the schema's. Postgres refuses names of more than 63 bytes. */
const CHANNEL = `left(current_schema() || ':' || $1, 63)`;
const findChannel = statement<{ channel: string }>('pg-find-channel', `select ${CHANNEL} as channel`);
const callLeader = statement('pg-call-leader', `select pg_notify(${CHANNEL}, '')`);

/** A leader whose machine vanished must not keep the lock for the two hours of the system's keep-alive. */
const noticeDeadPeer = unprepared(
  'set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3',
);

/** See Db.leadership; each leader has a connection of its own, made by `connect`, on which it hears calls. */
export function leadership(
  connect: () => Promise<pg.Client>,
  purpose: string,
  anyConnection: Queryable,
): Leadership {
  let session: Session | undefined;
  let isLeader = false;
  let hear = (): void => undefined;
  const isHeld = (): boolean => isLeader && session?.isAlive() === true;

  return {
    isHeld,
    async claim() {
      if (isHeld()) return true;
      isLeader = false;
      if (session?.isAlive() !== true) session = await openSession(connect, () => hear());
      const [row] = await session.query(tryLock, [purpose]);
      if (row?.taken !== true) return false;
      await listen(session, purpose);
      isLeader = true;
      return true;
    },
    async call() {
      await anyConnection.query(callLeader, [purpose]);
    },
    onCall: (listener) => void (hear = listener),
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

async function listen(session: Session, purpose: string): Promise<void> {
  const [row] = await session.query(findChannel, [purpose]);
  await session.query(unprepared(`listen ${pg.escapeIdentifier(row?.channel ?? purpose)}`));
}

async function openSession(connect: () => Promise<pg.Client>, onCall: () => void): Promise<Session> {
  const client = await connect().catch((e: unknown) => {
    throw translate(e);
  });
  let isAlive = true;
  const bury = (): void => {
    if (!isAlive) return;
    isAlive = false;
    onCall();
  };
  client.on('notification', onCall);
  client.on('error', bury);
  client.on('end', bury);
  const close = async (): Promise<void> => {
    isAlive = false;
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
  await query(noticeDeadPeer);
  return { isAlive: () => isAlive, query, close };
}
