export { accentProperties } from './accent.ts';
export { LOGO_LIMITS } from './logo.ts';
export { defineMachine } from './machine.ts';
export { NAME_PATTERN, OPTIONAL_PAYER_NAME_PATTERN, PAYER_NAME_PATTERN } from './names.ts';
export type { Cell, Machine, MachineSpec, Table } from './machine.ts';
export { naturalBatch } from './natural-batch.ts';
export type { BatchOptions } from './natural-batch.ts';
export { findTimeZone, TIME_ZONE_PATTERN } from './time-zone.ts';
