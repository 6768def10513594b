export { naturalBatch } from './natural-batch.ts';
export type { BatchOptions } from './natural-batch.ts';
