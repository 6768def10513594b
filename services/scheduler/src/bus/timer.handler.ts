import { naturalBatch } from '@gp/primitives';
import type { InboundMessage } from '@gp/bus';
import type { TimerChange } from '@gp/contracts';
import { AppError } from '@gp/errors';
import type { Db } from '@gp/pg';
import { recordInstructions, type Asked } from '../db/timers.ts';

/**
 * Applies instructions about timers. Messages that arrive while a statement runs share the next one. `onStored` gets the
 * earliest due time of a batch, epoch ms.
 */
export function applyInstructions(
  db: Db,
  onStored: (dueAtMs: number) => void = () => undefined,
): (change: TimerChange, message: InboundMessage) => Promise<void> {
  const record = naturalBatch<readonly Asked[], undefined>({
    maxSize: 100,
    maxQueued: 2_000,
    overloaded: () => new AppError('service_unavailable'),
    async run(changes) {
      const asked = changes.flat();
      await recordInstructions(db, asked);
      onStored(Math.min(...asked.map(({ timer }) => (timer ? Date.parse(timer.due_at) : Infinity))));
      return changes.map(() => undefined);
    },
  });
  return ({ instructions }, { traceparent }) =>
    record(instructions.map((instruction) => ({ ...instruction, traceparent })));
}
