export { resealRows } from './reseal-rows.ts';
export type { SealedColumn } from './sealed-column.ts';
