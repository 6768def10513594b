import type { Db } from '@gp/pg';
import {
  findRequestLog,
  listRequestLogs,
  type FoundRequestLog,
  type ListedRequestLog,
  type RequestLogFilter,
} from '../../db/request-logs.ts';

/** The log of requests as merchants read it. */
export type RequestLogs = {
  /** A page, newest first, and the id before which the next one begins; null at the end. */
  list(filter: RequestLogFilter): Promise<{ rows: ListedRequestLog[]; next: string | null }>;
  /** One request with its bodies; undefined when it is not this merchant's in this mode. */
  find(of: Parameters<typeof findRequestLog>[1]): Promise<FoundRequestLog | undefined>;
};

export type { FoundRequestLog, ListedRequestLog };

export function requestLogs(db: Db): RequestLogs {
  return { list: (filter) => listRequestLogs(db, filter), find: (of) => findRequestLog(db, of) };
}
