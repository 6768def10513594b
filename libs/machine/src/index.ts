export { defineMachine } from './machine.ts';
export type { Cell, Machine, MachineSpec, Table } from './machine.ts';
