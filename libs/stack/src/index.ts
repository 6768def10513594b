export { startPostgres, type EmbeddedServer, type PostgresOptions } from './servers/postgres.ts';
export { startNats, type NatsOptions } from './servers/nats.ts';
