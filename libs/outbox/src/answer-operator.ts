import { fitting, type Bus } from '@gp/bus';
import * as contracts from '@gp/contracts';
import type { Operated, RpcContract } from '@gp/contracts';
import { validationError } from '@gp/errors';
import type { Db } from '@gp/pg';
import { listDeadLetters, replayDeadLetter, type DeadLetter } from './dead-letters.ts';
import { recordAction } from './operator-actions.ts';
import { measureBacklog } from './backlog.ts';
import { republish } from './republish.ts';
import { listTasks, measureTasks, resolveTask } from './tasks.ts';

/** The part of a service's frame that is needed here. */
type Serving = {
  serve<Req, Res>(bus: Bus, contract: RpcContract<Req, Res>, handler: (request: Req) => Promise<Res>): void;
};

/**
 * Answers what the operator's command line asks of every context with an outbox: its tasks, its dead letters and
 * its sent messages, and measures what he watches. Each act is kept with the name of who asked for it. Call it once per
 * process.
 */
export function answerOperator(
  service: Serving,
  bus: Bus,
  { context, db, wakeRelay }: { context: Operated; db: Db; wakeRelay: () => void },
): void {
  measureTasks(db);
  measureBacklog(db);
  service.serve(bus, contracts.listTasks(context), async (request) => ({
    tasks: fitting(await listTasks(db, request)),
  }));
  service.serve(bus, contracts.resolveTask(context), (request) => resolveTask(db, request));
  service.serve(bus, contracts.listDeadLetters(context), async (request) => ({
    letters: fitting((await listDeadLetters(db, request)).map(letterView)),
  }));
  service.serve(bus, contracts.replayDeadLetter(context), async ({ id, actor }) => {
    await replayDeadLetter(db, BigInt(id), actor);
    wakeRelay();
    return { id };
  });
  service.serve(bus, contracts.republishOutbox(context), async ({ from, to, actor }) => {
    const range = { from: new Date(from), to: new Date(to) };
    if (range.from >= range.to) throw validationError('to', 'must be after from');
    await recordAction(db, { actor, action: 'outbox.republish', subject: context, details: { from, to } });
    return { messages: await republish(db, bus, range) };
  });
}

/** As much of a payload as a person reads; the whole of it stays in the table. */
const SHOWN = 2_000;

function letterView(letter: DeadLetter): contracts.DeadLetterView {
  return {
    id: letter.id.toString(),
    consumer: letter.consumer,
    message_id: letter.messageId,
    subject: letter.subject,
    mode: letter.mode ?? null,
    reason: letter.reason,
    delivery_count: letter.deliveryCount,
    dead_at: letter.deadAt.toISOString(),
    replayed_at: letter.replayedAt?.toISOString() ?? null,
    payload: letter.payload.slice(0, SHOWN),
  };
}
