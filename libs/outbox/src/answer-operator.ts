import { byOperator, fitting, type Bus, type CallContext } from '@gp/bus';
import * as contracts from '@gp/contracts';
import type { Operated, RequestOf, RpcContract } from '@gp/contracts';
import { validationError } from '@gp/errors';
import type { Db } from '@gp/pg';
import { listDeadLetters, replayDeadLetter, type DeadLetter } from './dead-letters.ts';
import { recordAction } from './operator-actions.ts';
import { measureBacklog } from './backlog.ts';
import { republish } from './republish.ts';
import { listTasks, measureTasks, resolveTask } from './tasks.ts';

/** The part of the service frame that is needed here. */
type Serving = {
  serve<Req, Res>(
    bus: Bus,
    contract: RpcContract<Req, Res>,
    handler: (request: Req, context: CallContext) => Promise<Res>,
  ): void;
};

/**
 * Serves the requests of the operator's command line to a context with an outbox: its tasks, its dead letters
 * and its sent messages, and defines the metrics an operator watches. Each action is recorded with the name and
 * the key of the operator. Call it once per process.
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
  const resolve = byOperator((request: RequestOf<Resolve>, actor) => resolveTask(db, { ...request, actor }));
  service.serve(bus, contracts.resolveTask(context), resolve);
  service.serve(bus, contracts.listDeadLetters(context), async (request) => ({
    letters: fitting((await listDeadLetters(db, request)).map(letterView)),
  }));
  const replay = byOperator(async ({ id }: RequestOf<Replay>, actor) => {
    await replayDeadLetter(db, BigInt(id), actor);
    wakeRelay();
    return { id };
  });
  service.serve(bus, contracts.replayDeadLetter(context), replay);
  const again = byOperator(async ({ from, to }: RequestOf<Republish>, actor) => {
    const range = { from: new Date(from), to: new Date(to) };
    if (range.from >= range.to) throw validationError('to', 'must be after from');
    await recordAction(db, { actor, action: 'outbox.republish', subject: context, details: { from, to } });
    return { messages: await republish(db, bus, range) };
  });
  service.serve(bus, contracts.republishOutbox(context), again);
}

type Resolve = ReturnType<typeof contracts.resolveTask>;
type Replay = ReturnType<typeof contracts.replayDeadLetter>;
type Republish = ReturnType<typeof contracts.republishOutbox>;

/** The length of a payload that is shown to a person; the table keeps the whole of it. */
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
