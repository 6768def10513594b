export { defineMachine } from './machine.ts';
export type { Cell, Machine, MachineSpec, Table } from './machine.ts';
export { naturalBatch } from './natural-batch.ts';
export type { BatchOptions } from './natural-batch.ts';
