import { naturalBatch } from '@gp/primitives';
import type { InboundMessage } from '@gp/bus';
import type { TimerChange } from '@gp/contracts';
import { AppError } from '@gp/errors';
import type { Db } from '@gp/pg';
import { recordInstructions, type Asked } from '../db/timers.ts';

/** Applies instructions about timers. Messages that arrive while a statement runs share the next one. */
export function applyInstructions(db: Db): (change: TimerChange, message: InboundMessage) => Promise<void> {
  const record = naturalBatch<readonly Asked[], undefined>({
    maxSize: 100,
    maxQueued: 2_000,
    overloaded: () => new AppError('service_unavailable'),
    async run(changes) {
      await recordInstructions(db, changes.flat());
      return changes.map(() => undefined);
    },
  });
  return ({ instructions }, { traceparent }) =>
    record(instructions.map((instruction) => ({ ...instruction, traceparent })));
}
