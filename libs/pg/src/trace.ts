import type { Statement } from './statement.ts';

/** A database as spans name it: host, port and name. */
export type DatabaseName = { readonly address: string; readonly port: number; readonly name: string };

/** Executes one statement and returns its result; may describe it by a span. */
export type StatementTrace = <T>(
  statement: Statement,
  database: DatabaseName,
  execute: () => Promise<T>,
) => Promise<T>;

const untraced: StatementTrace = (_statement, _database, execute) => execute();

let installed = untraced;

/**
 * Installs the process-wide hook around every statement, so that this library needs no tracing library; without an argument
 * none is left.
 */
export function setStatementTrace(trace: StatementTrace = untraced): void {
  installed = trace;
}

/** Runs a statement inside the installed hook. */
export const traced: StatementTrace = (statement, database, execute) =>
  installed(statement, database, execute);

/** Returns the database of an address. */
export function parseDatabaseName(url: string): DatabaseName {
  const { hostname, port, pathname } = new URL(url);
  return { address: hostname, port: Number(port) || 5432, name: decodeURIComponent(pathname.slice(1)) };
}
