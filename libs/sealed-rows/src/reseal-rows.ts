import type { Db } from '@gp/pg';
import type { Seal, Sealed } from '@gp/seal';
import type { Loop } from '@gp/service';
import type { Logger } from '@gp/telemetry';
import { openTally } from './tally.ts';
import { PAGE, readPage, replaceBytes, type SealedColumn, type SealedRow } from './sealed-column.ts';

/** Between two walks through the rows: replicas of the release before may still seal under the older key. */
const PAUSE_MS = 60_000;

/**
 * Seals rows again under the newest key while an older one is configured, page by page, and reports how many rows each
 * key seals. It walks again until it finds none under an older key. Any number of replicas may run it: a row that
 * changed since it was read is left to the next walk.
 */
export function resealRows(o: {
  readonly db: Db;
  readonly seal: Seal;
  readonly log: Logger;
  readonly columns: readonly SealedColumn[];
}): Loop {
  const { previous } = o.seal.keyIds;
  const tally = openTally(o);
  let at = 0;
  let after: readonly string[] | undefined;
  return {
    name: 'reseal-rows',
    idleMs: PAUSE_MS,
    async runOnce() {
      const column = o.columns[at];
      if (previous.length === 0 || column === undefined) return 'idle';
      const rows = await readPage(o.db, column, { after, keyIds: previous });
      for (const row of rows) tally.add(column.table, row.keyId, await reseal(o, column, row));
      after = rows.length < PAGE ? undefined : rows.at(-1)?.key;
      if (after === undefined) at = (at + 1) % o.columns.length;
      if (after !== undefined || at > 0) return 'busy';
      return tally.finishWalk() > 0 ? 'busy' : 'idle';
    },
  };
}

/** Returns whether the row was sealed again. */
async function reseal(
  o: { readonly db: Db; readonly seal: Seal; readonly log: Logger },
  column: SealedColumn,
  { key, keyId, bytes }: SealedRow,
): Promise<boolean> {
  if (bytes === null) return false;
  const was = { keyId, bytes };
  const sealed = sealAgain(o, column, key, was);
  return sealed !== undefined && replaceBytes(o.db, column, { key, was, sealed });
}

/** Returns undefined for bytes that do not open: they keep their key, and the walk goes on. */
function sealAgain(
  { seal, log }: { readonly seal: Seal; readonly log: Logger },
  { table, identity }: SealedColumn,
  key: readonly string[],
  was: Sealed,
): Sealed | undefined {
  try {
    return seal.seal(seal.open(was, identity(key)), identity(key));
  } catch (err) {
    log.error({ table, key_id: was.keyId, err }, 'a sealed row does not open and keeps its key');
    return undefined;
  }
}
