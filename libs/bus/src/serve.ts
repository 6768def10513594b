import type { Msg, Subscription } from '@gp/bundled/nats';
import type { BatchContract, Operator, RpcContract } from '@gp/contracts';
import { AppError } from '@gp/errors';
import { INBOXES } from './access.ts';
import { limiter } from './limiter.ts';
import type { Link } from './link.ts';
import type { BusLog } from './log.ts';
import { identifySender, type AskOperator } from './operators.ts';
import { atMost } from './pause.ts';
import { trace } from './trace.ts';
import { compileCheck, contractBroken, type Check } from './validate.ts';
import * as wire from './wire.ts';

/** A running part; closing it lets work in hand finish. Closing twice is fine. */
export type Closable = { close(): Promise<void> };

/**
 * What a handler knows of its call: nobody reads a reply after `deadline` (epoch ms). `operator` is the person whose
 * signature was verified, in calls that only operators may make.
 */
export type CallContext = { deadline: number; traceparent?: string; operator?: Operator };

export type BatchCommand<Cmd> = { command: Cmd; deadline: number; traceparent?: string };
export type BatchHandler<Cmd, Res> = (
  commands: readonly BatchCommand<Cmd>[],
) => Promise<readonly (Res | AppError)[]>;

const CONCURRENCY = 64;
/** A batch message holds up to 64 commands already, and a merged statement wants few at a time. */
const BATCH_CONCURRENCY = 4;
/** Waiting calls per running one: with more, callers would leave before their replies. */
const QUEUE_FACTOR = 4;

type Answering = { link: Link; log: BusLog; subject: string; concurrency: number };

/** `isStrict`: replies are checked against their contract before they are sent. */
type Serving = { link: Link; log: BusLog; isStrict: boolean; askOperator: AskOperator };

/** Serves single calls; see Bus.serve. */
export function serveCalls<Req, Res>(
  base: Serving,
  contract: RpcContract<Req, Res>,
  handler: (request: Req, ctx: CallContext) => Promise<Res>,
  o: { concurrency?: number } = {},
): Closable {
  const check = compileCheck(contract.request);
  const checkAnswer = answerCheck(base, contract);
  const { subject, operator } = contract;
  const sender = { ask: base.askOperator, log: base.log };
  return answer({ ...base, subject, concurrency: o.concurrency ?? CONCURRENCY }, async (msg, deadline) => {
    if (deadline <= Date.now()) throw new AppError('deadline_exceeded');
    const request = checked(check, wire.parseJson(msg.string()), subject, base.log);
    const traceparent = wire.readHeader(msg, wire.TRACEPARENT);
    const ctx: CallContext = traceparent ? { deadline, traceparent } : { deadline };
    const ok = await trace().run({ kind: 'server', subject, traceparent }, async () => {
      if (operator) ctx.operator = await identifySender(sender, { subject, operator }, { msg, deadline });
      return handler(request as Req, ctx);
    });
    return checkAnswer(ok);
  });
}

/** Serves coalesced messages, each command with its own result; see Bus.serveBatch. */
export function serveBatches<Cmd, Res>(
  base: Serving,
  contract: BatchContract<Cmd, Res>,
  handler: BatchHandler<Cmd, Res>,
  o: { concurrency?: number } = {},
): Closable {
  const check = compileCheck(contract.command);
  const checkAnswer = answerCheck(base, contract);
  const { subject } = contract;
  return answer({ ...base, subject, concurrency: o.concurrency ?? BATCH_CONCURRENCY }, async (msg) => {
    const body = wire.parseJson(msg.string()) as { commands?: wire.BatchEntry[] } | undefined;
    if (!Array.isArray(body?.commands)) throw contractBroken(subject, 'not a batch');
    const results: wire.Reply[] = body.commands.map(
      (entry) => refusal(entry, check, subject, base.log) ?? {},
    );
    const accepted = body.commands.flatMap((entry, at) =>
      'error' in (results[at] as wire.Reply) ? [] : [{ at, entry: entry as BatchCommand<Cmd> }],
    );
    const commands = accepted.map(({ entry }) => entry);
    const verdicts =
      commands.length > 0 ? await runBatch({ subject, log: base.log, checkAnswer }, commands, handler) : [];
    accepted.forEach(({ at }, i) => (results[at] = verdicts[i] as wire.Reply));
    return { results };
  });
}

function refusal(entry: wire.BatchEntry, check: Check, subject: string, log: BusLog): wire.Reply | undefined {
  if (!(entry?.deadline > Date.now())) return wire.errorReply(new AppError('deadline_exceeded'));
  try {
    checked(check, entry.command, subject, log);
    return undefined;
  } catch (e) {
    return wire.errorReply(e);
  }
}

async function runBatch<Cmd, Res>(
  o: { subject: string; log: BusLog; checkAnswer: (answer: unknown) => wire.Reply },
  commands: readonly BatchCommand<Cmd>[],
  handler: BatchHandler<Cmd, Res>,
): Promise<readonly wire.Reply[]> {
  const { subject, log } = o;
  const links = commands.flatMap((c) => c.traceparent ?? []);
  try {
    const verdicts = await trace().run({ kind: 'server', subject, links }, () => handler(commands));
    if (verdicts.length !== commands.length) throw new Error('a verdict per command was expected');
    return verdicts.map((v) => (v instanceof Error ? wire.errorReply(v) : o.checkAnswer(v)));
  } catch (e) {
    const failed = failure(e, subject, log);
    return commands.map(() => failed);
  }
}

function checked(check: Check, value: unknown, subject: string, log: BusLog): unknown {
  const fault = value === undefined ? 'not JSON' : check(value);
  if (fault === undefined) return value;
  log.error({ subject, fault }, 'a caller broke the contract');
  throw contractBroken(subject, fault);
}

/**
 * Encodes a reply. A strict bus sends no reply that breaks its contract: it logs subject and fault, and the
 * caller gets `internal_error`, as for any failure of the handler. The handler has run, so the caller does not
 * know the effect of its request: where money is concerned that is "unknown", never "failed".
 */
function answerCheck(
  { isStrict, log }: Serving,
  { subject, response }: Pick<RpcContract<unknown, unknown>, 'subject' | 'response'>,
): (answer: unknown) => wire.Reply {
  if (!isStrict) return (answer) => ({ ok: answer });
  const check = compileCheck(response);
  return (answer) => {
    const fault = check(wire.parseJson(JSON.stringify(answer) ?? ''));
    if (fault === undefined) return { ok: answer };
    log.error({ subject, fault }, 'the answer breaks its contract');
    return wire.errorReply(new AppError('internal_error'));
  };
}

/**
 * Subscribes in the context's queue group and replies to every request exactly once. Copies of a request share
 * their reply subject: a copy that arrives while the first is in hand here gets no reply of its own.
 */
function answer(o: Answering, run: (msg: Msg, deadline: number) => Promise<object>): Closable {
  const inHand = new Set<string>();
  const work = limiter<Msg>({
    concurrency: o.concurrency,
    maxQueued: o.concurrency * QUEUE_FACTOR,
    run: async (msg) => {
      const deadline = Number(wire.readHeader(msg, wire.DEADLINE) ?? Date.now() + wire.DEFAULT_TIMEOUT_MS);
      const reply = await run(msg, deadline).catch((e: unknown) => failure(e, o.subject, o.log));
      inHand.delete(msg.reply ?? '');
      respond(msg, reply, o);
    },
  });
  let subscription: Subscription | undefined;
  const detach = o.link.attach((nc) => {
    subscription = nc.subscribe(o.subject, {
      queue: toQueueName(o.subject),
      callback: (err, msg) => {
        if (err) return o.log.error({ subject: o.subject, err }, 'subscription ended');
        if (!isRequest(msg, o.subject)) return o.log.warn({ subject: o.subject }, 'a message is no request');
        if (msg.reply && inHand.has(msg.reply)) return;
        if (work.offer(msg)) return void inHand.add(msg.reply ?? '');
        // The caller would take a refusal for the reply that another replica is still working on.
        if (!wire.readHeader(msg, wire.COPY)) respond(msg, wire.errorReply(wire.overloaded()), o);
      },
    });
  });
  return {
    async close() {
      detach();
      if (o.link.live() && subscription) await atMost(2_000, subscription.drain());
      else subscription?.unsubscribe();
      await work.idle();
    },
  };
}

/**
 * Detects messages that did not come as requests: a reply goes to an inbox and nowhere else, and a server delivers
 * stored messages to whichever subject a consumer names, under their own subject.
 */
function isRequest(msg: Msg, subject: string): boolean {
  return msg.subject === subject && (msg.reply ?? '').startsWith(INBOXES);
}

/** `rpc.ledger.groups.create.v1` → `ledger`: the replicas of one context share its calls. */
function toQueueName(subject: string): string {
  return subject.split('.')[1] ?? subject;
}

function failure(e: unknown, subject: string, log: BusLog): wire.Reply {
  if (!(e instanceof AppError)) log.error({ subject, err: e }, 'handler failed');
  return wire.errorReply(e);
}

function respond(msg: Msg, reply: object, o: Answering): void {
  try {
    msg.respond(JSON.stringify(reply));
  } catch (err) {
    o.log.error({ subject: o.subject, err }, 'answer could not be sent');
    if (o.link.live()) msg.respond(JSON.stringify(wire.errorReply(err)));
  }
}
