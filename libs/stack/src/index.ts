export { startPostgres, type EmbeddedServer, type PostgresOptions } from './servers/postgres.ts';
export { startNats, type NatsOptions } from './servers/nats.ts';
export { busPermissions, listNatsUsers, toKeySetting, type NatsUser } from './identities.ts';
export type { Replica, StartReplica } from './replicas.ts';
export { openStack, type Stack, type StackOptions } from './stack.ts';
export { portsFrom, type Ports } from './ports.ts';
export { receiveTraces, parseSpans, type ReceivedSpan } from './trace-sink.ts';
export type { DemoMerchant } from './seed.ts';
export { raisedLimits, services, type ServiceSpec } from './services.ts';
