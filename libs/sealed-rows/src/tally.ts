import type { Seal } from '@gp/seal';
import { metrics, type Logger } from '@gp/telemetry';
import type { SealedColumn } from './sealed-column.ts';

const sealedRows = metrics.gauge({
  name: 'gp_sealed_rows',
  help: 'Rows that a key sealed, as the last walk of a rotation found them; use is newest, previous or missing',
  unit: 'rows',
  labels: ['table', 'key', 'use'],
});

export type Tally = {
  /** Counts a row under the key that it has now. */
  add(table: string, keyId: string, wasResealed: boolean): void;
  /** Publishes the counts of the walk; returns how many rows it sealed again. */
  finishWalk(): number;
};

/** Counts the rows of a walk by table and key, and says once which previous keys nothing needs any more. */
export function openTally(o: {
  readonly seal: Seal;
  readonly log: Logger;
  readonly columns: readonly SealedColumn[];
}): Tally {
  const { newest, previous } = o.seal.keyIds;
  let counts = new Map<string, Map<string, number>>();
  let resealed = 0;
  const unneeded = new Set<string>();
  const count = (table: string, key: string) => counts.get(table)?.get(key) ?? 0;

  function publish(): void {
    sealedRows.reset();
    for (const { table } of o.columns) {
      for (const key of new Set([newest, ...previous, ...(counts.get(table)?.keys() ?? [])])) {
        const use = key === newest ? 'newest' : previous.includes(key) ? 'previous' : 'missing';
        sealedRows.set({ table, key, use }, count(table, key));
      }
    }
  }

  function sayWhatIsUnneeded(): void {
    for (const key of previous) {
      const isUnneeded = o.columns.every(({ table }) => count(table, key) === 0);
      if (!isUnneeded) unneeded.delete(key);
      else if (!unneeded.has(key)) {
        unneeded.add(key);
        o.log.info({ key_id: key }, 'no row is sealed under this previous encryption key: it can be removed');
      }
    }
  }

  return {
    add(table, keyId, wasResealed) {
      const key = wasResealed ? newest : keyId;
      const ofTable = counts.get(table) ?? new Map<string, number>();
      counts.set(table, ofTable.set(key, (ofTable.get(key) ?? 0) + 1));
      if (wasResealed) resealed += 1;
    },
    finishWalk() {
      publish();
      if (resealed === 0) sayWhatIsUnneeded();
      const done = resealed;
      if (done > 0)
        o.log.info({ count: done, key_id: newest }, 'rows were sealed again under the newest key');
      counts = new Map();
      resealed = 0;
      return done;
    },
  };
}
