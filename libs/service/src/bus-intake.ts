import type {
  BatchHandler,
  Bus,
  CallContext,
  Closable,
  ConsumeOptions,
  DeadMessage,
  InboundMessage,
} from '@gp/bus';
import type { BatchContract, RpcContract } from '@gp/contracts';
import { AppError } from '@gp/errors';
import {
  metrics,
  observeHandling,
  subjectName,
  type Handled,
  type LogFields,
  type Logger,
} from '@gp/telemetry';

const deadLetters = metrics.counter({
  name: 'gp_bus_dead_letters_total',
  help: 'Messages given up on and written to the dead-letter table',
  unit: 'messages',
  labels: ['durable'],
});
const redeliveries = metrics.counter({
  name: 'gp_bus_redeliveries_total',
  help: 'Deliveries of a message that had been delivered before: a handler failed, or a replica went away',
  unit: 'messages',
  labels: ['durable'],
});

type ServeOptions = Parameters<Bus['serve']>[2];

/** Serves a contract with one log line, one count and one timing for every call. */
export function serveLogged<Req, Res>(
  o: { bus: Bus; log: Logger; options?: ServeOptions },
  contract: RpcContract<Req, Res>,
  handler: (request: Req, ctx: CallContext) => Promise<Res>,
): Closable {
  const { subject } = contract;
  const logged = (request: Req, ctx: CallContext) =>
    observeHandling(
      { subject, way: 'rpc' },
      () => handler(request, ctx),
      (handled) => logHandled(o.log, { subject }, 'answered', handled),
    );
  return o.bus.serve(contract, logged, o.options);
}

/**
 * Serves a coalesced contract: timed as one batch, counted and logged command by command, each line in the trace
 * of its own caller, so that the trace of a payment keeps the step that shared a batch.
 */
export function serveBatchLogged<Cmd, Res>(
  o: { bus: Bus; log: Logger; options?: ServeOptions },
  contract: BatchContract<Cmd, Res>,
  handler: BatchHandler<Cmd, Res>,
): Closable {
  const { subject } = contract;
  const logged: BatchHandler<Cmd, Res> = async (commands) => {
    let handled: Handled | undefined;
    const verdicts = await observeHandling(
      { subject, way: 'batch', count: commands.length },
      () => handler(commands),
      (how) => (handled = how),
    ).catch((error: unknown) => commands.map(() => error));
    commands.forEach(({ traceparent }, at) => {
      const fields = { subject, batch_size: commands.length, traceparent };
      logHandled(o.log, fields, 'answered', {
        ...toHandledOutcome(verdicts[at]),
        durationMs: handled?.durationMs ?? 0,
      });
    });
    if (handled?.error !== undefined) throw handled.error as Error;
    return verdicts as readonly (Res | AppError)[];
  };
  return o.bus.serveBatch(contract, logged, o.options);
}

/**
 * Consumes a stream with one log line, one count and one timing for every delivery, and for every dead letter.
 */
export function consumeLogged(o: { bus: Bus; log: Logger }, options: ConsumeOptions): Closable {
  const { durable } = options;
  for (const counted of [deadLetters, redeliveries]) counted.inc({ durable }, 0);
  const handler = (message: InboundMessage) => {
    const subject = subjectName(message.subject);
    const fields = { subject, durable, message_id: message.id, delivery_count: message.deliveryCount };
    if (message.deliveryCount > 1) redeliveries.inc({ durable });
    return observeHandling(
      { subject, way: 'stream' },
      () => options.handler(message),
      // The handler logs its own work; the delivery itself is logged for debugging only.
      (handled) => logHandled(o.log, fields, 'handled', handled, 'debug'),
    );
  };
  const onDead = async (message: DeadMessage) => {
    await options.onDead(message);
    const subject = subjectName(message.subject);
    deadLetters.inc({ durable });
    const { id: message_id, deliveryCount: delivery_count, traceparent } = message;
    o.log.error(
      { subject, durable, message_id, delivery_count, traceparent },
      'gave a message up, dead letter kept',
    );
  };
  return o.bus.consume({ ...options, handler, onDead });
}

function toHandledOutcome(verdict: unknown): Pick<Handled, 'outcome' | 'error'> {
  if (!(verdict instanceof Error)) return { outcome: 'ok' };
  return { outcome: verdict instanceof AppError ? verdict.code : verdict.name, error: verdict };
}

/** Logs an AppError as an ordinary result; anything else is a fault of ours and logged with its place. */
function logHandled(
  log: Logger,
  fields: LogFields,
  verb: string,
  { outcome, durationMs, error }: Handled,
  level: 'debug' | 'info' = 'info',
): void {
  const line = { ...fields, outcome, duration_ms: Math.round(durationMs * 10) / 10 };
  const message = `${verb} ${plainName(String(fields.subject))}`;
  if (error === undefined) log[level](line, message);
  else if (error instanceof AppError) log.info(line, message);
  else log.error({ ...line, err: error }, `${message} with a failure`);
}

/** `rpc.ledger.groups.create.v1` → `ledger groups create`: the name for people who read a trace. */
function plainName(subject: string): string {
  return subject.split('.').slice(1, -1).join(' ');
}
