import { naturalBatch } from '@gp/batch';
import type { InboundMessage } from '@gp/bus';
import { cancelTimer, setTimer, type TimerCancel, type TimerSet } from '@gp/contracts';
import { AppError } from '@gp/errors';
import type { Db } from '@gp/pg';
import { recordInstructions, type Instruction } from '../db/timers.ts';

/** Takes instructions about timers; those that queue while a statement runs go into the next one together. */
export function takeInstruction(db: Db): (message: InboundMessage) => Promise<void> {
  const record = naturalBatch<Instruction, undefined>({
    maxSize: 100,
    maxQueued: 2_000,
    overloaded: () => new AppError('service_unavailable'),
    async run(batch) {
      await recordInstructions(db, batch);
      return batch.map(() => undefined);
    },
  });
  return (message) => record(asInstruction(message));
}

function asInstruction({ subject, payload }: InboundMessage): Instruction {
  if (subject === setTimer.subject) {
    const set = payload as TimerSet;
    return { ...keyOf(set), timer: { kind: set.kind, dueAt: set.due_at, data: set.data } };
  }
  if (subject === cancelTimer.subject) return { ...keyOf(payload as TimerCancel), timer: null };
  throw new AppError('validation_error', { message: `no timer instruction: ${subject}` });
}

function keyOf(m: TimerSet | TimerCancel) {
  return { owner: m.owner, key: m.key, revision: m.revision, merchantId: m.merchant_id, mode: m.mode };
}
