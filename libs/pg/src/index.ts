export { openPg, type Db, type PgOptions } from './open-pg.ts';
export type { Queryable } from './queryable.ts';
export { statement, unprepared, type Statement } from './statement.ts';
export { findConstraint, isUnavailable } from './failures.ts';
export { migrate, type MigrateOptions } from './migrate.ts';
export { dumpSchema } from './dump-schema.ts';
export { ownerOf } from './roles.ts';
export type { Leadership } from './leadership.ts';
export { ensureDatabase } from './ensure-database.ts';
