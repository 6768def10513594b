import type { OutboxRow } from './outbox.row.ts';

/** Enough to hide JetStream's acknowledgement time; more only lengthens its queue. */
const MAX_IN_FLIGHT = 100;

export type Published = {
  readonly sent: readonly OutboxRow[];
  /** At most one per group: later rows of its group were not tried. */
  readonly failed: readonly { readonly row: OutboxRow; readonly error: unknown }[];
};

/**
 * Publishes rows: those of one group in sequence, groups side by side. A row that fails ends its group's chain
 * and no other; `mayContinue` is called before each row. Never rejects.
 */
export async function publishRows(
  rows: readonly OutboxRow[],
  publish: (row: OutboxRow) => Promise<void>,
  mayContinue: () => boolean = () => true,
): Promise<Published> {
  const sent: OutboxRow[] = [];
  const failed: { row: OutboxRow; error: unknown }[] = [];
  const chains = Map.groupBy(rows, (row) => row.group_key).values();

  const publishChain = async (chain: readonly OutboxRow[]): Promise<void> => {
    for (const row of chain) {
      if (!mayContinue()) return;
      try {
        await publish(row);
      } catch (error) {
        failed.push({ row, error });
        return;
      }
      sent.push(row);
    }
  };
  // The workers share one iterator, so each takes the next chain that has not begun.
  const work = async (): Promise<void> => {
    for (const chain of chains) await publishChain(chain);
  };
  await Promise.all(Array.from({ length: Math.min(MAX_IN_FLIGHT, rows.length) }, work));
  return { sent, failed };
}
