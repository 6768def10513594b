import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { pino, stdTimeFunctions, type DestinationStream, type Logger as PinoLogger } from 'pino';
import { describeError } from './error-fields.ts';
import { mask, safeFields, type Fields } from './fields.ts';
import { currentTrace } from './tracing.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent';
export type LogFields = Fields & { readonly err?: unknown; readonly traceparent?: string | undefined };

export interface LogLine {
  (message: string): void;
  (fields: LogFields, message: string): void;
}

/** Writes JSON lines; `message` is a short sentence for people, made only of words from the source. */
export type Logger = {
  readonly [level in Exclude<LogLevel, 'silent'>]: LogLine;
} & {
  /** Returns a logger whose every line carries these fields, too. */
  child(fields: Fields): Logger;
  /**
   * Resolves when every line is written, or after five seconds; later lines are dropped. For the end of a process.
   */
  close(): Promise<void>;
};

/**
 * Opens the log of a service: one JSON object a line on stdout (or on `stream`), each with time, level,
 * service, msg and, inside a span, trace_id and span_id. Fields outside the allow-list are dropped.
 */
export function createLogger(o: { service: string; level: LogLevel; stream?: DestinationStream }): Logger {
  const stdout = o.stream === undefined ? pino.destination({ dest: 1, sync: false }) : undefined;
  const lines = pino(
    {
      level: o.level,
      base: { service: o.service },
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (level) => ({ level }) },
      // Second check after the allow-list: if a name like these is ever allowed, its value is still removed.
      redact: { paths: ['authorization', 'cookie', 'email', 'password', 'secret', 'token'], remove: true },
    },
    stdout ?? o.stream,
  );
  return wrap(lines, closing(stdout));
}

type Closing = { readonly isClosed: () => boolean; close(): Promise<void> };

/**
 * A reader that takes no lines must not keep the process from ending: this wait keeps it alive to report its
 * exit code. On a machine without a free core one write can take longer than a second.
 */
const CLOSE_MS = 5_000;

/** A write in progress would be lost with the process, and a synchronous flush cannot wait for it. */
function closing(stdout: ReturnType<typeof pino.destination> | undefined): Closing {
  let closed: Promise<void> | undefined;
  const end = async (): Promise<void> => {
    if (!stdout) return;
    const written = once(stdout, 'close').catch(() => undefined);
    stdout.end();
    await Promise.race([written, delay(CLOSE_MS)]);
  };
  return { isClosed: () => closed !== undefined, close: () => (closed ??= end()) };
}

function wrap(lines: PinoLogger, { isClosed, close }: Closing): Logger {
  const line = (level: Exclude<LogLevel, 'silent'>): LogLine => {
    return (first: string | LogFields, second?: string) => {
      if (isClosed() || !lines.isLevelEnabled(level)) return;
      const [fields, message] = typeof first === 'string' ? [{}, first] : [first, second ?? ''];
      lines[level](lineFields(fields, lines.isLevelEnabled('debug')), mask(message));
    };
  };
  return {
    debug: line('debug'),
    info: line('info'),
    warn: line('warn'),
    error: line('error'),
    fatal: line('fatal'),
    child: (fields) => wrap(lines.child(safeFields(fields)), { isClosed, close }),
    close,
  };
}

function lineFields(fields: LogFields, withStack: boolean): object {
  const { err, traceparent } = fields;
  return {
    ...(parseTraceIds(traceparent) ?? currentTrace()),
    ...safeFields(fields),
    ...(err !== undefined && { error: describeError(err, { stack: withStack }) }),
  };
}

/** A line about one caller of a batch belongs to that caller's trace, not to the batch's. */
function parseTraceIds(traceparent: string | undefined): { trace_id: string; span_id: string } | undefined {
  const [, trace_id, span_id] = traceparent?.split('-') ?? [];
  return trace_id?.length === 32 && span_id?.length === 16 ? { trace_id, span_id } : undefined;
}
