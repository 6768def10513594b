import { naturalBatch } from '@gp/primitives';
import type { InboundMessage } from '@gp/bus';
import type { TimerChange } from '@gp/contracts';
import { AppError } from '@gp/errors';
import type { Db } from '@gp/pg';
import { recordInstructions, type Asked } from '../db/timers.ts';

/** Takes instructions about timers; messages that queue while a statement runs go into the next one together. */
export function takeInstructions(db: Db): (change: TimerChange, message: InboundMessage) => Promise<void> {
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
