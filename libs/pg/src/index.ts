export { openPg, type Db, type PgOptions, type Queryable } from './open-pg.ts';
export { statement, unprepared, type Statement } from './statement.ts';
export { findConstraint, isUnavailable } from './failures.ts';
export { migrate, type MigrateOptions } from './migrate.ts';
export { dumpSchema } from './dump-schema.ts';
export { maintainPartitions, type DailyPartitions } from './partitions.ts';
export { leadership, type Leadership } from './leadership.ts';
export { ensureDatabase } from './ensure-database.ts';
