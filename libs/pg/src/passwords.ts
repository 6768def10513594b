import type pg from 'pg';
import { findSqlState } from './failures.ts';

const INVALID_PASSWORD = '28P01';

/**
 * Returns a function that opens a connection by `connect`: with the password of the address in `options`, and with `next` from
 * the moment that the server refuses it, as during a rotation; the other way round when the server refuses that one. It changes
 * the address in `options`, from which all later connections are made. Without `next` it only connects.
 */
export function tryBothPasswords(
  options: Pick<pg.PoolConfig, 'connectionString'>,
  next: string | undefined,
): <T>(connect: () => Promise<T>) => Promise<T> {
  const { connectionString: first = '' } = options;
  const second = next === undefined ? first : withPassword(first, next);
  return async (connect) => {
    const { connectionString: tried } = options;
    try {
      return await connect();
    } catch (error) {
      if (next === undefined || findSqlState(error) !== INVALID_PASSWORD) throw error;
      // Of several connections that were refused at once, the first one turns.
      if (options.connectionString === tried) options.connectionString = tried === first ? second : first;
      return connect();
    }
  };
}

function withPassword(address: string, password: string): string {
  const url = new URL(address);
  url.password = encodeURIComponent(password);
  return url.href;
}
