import { pino, stdTimeFunctions, type DestinationStream, type Logger as PinoLogger } from 'pino';
import { describeError } from './error-fields.ts';
import { mask, safeFields, type Fields } from './fields.ts';
import { openStdout, toStream, type LogOutput } from './log-output.ts';
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
  const output = o.stream === undefined ? openStdout() : toStream(o.stream);
  const lines = pino(
    {
      level: o.level,
      base: { service: o.service },
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (level) => ({ level }) },
      // Second check after the allow-list: if a name like these is ever allowed, its value is still removed.
      redact: { paths: ['authorization', 'cookie', 'email', 'password', 'secret', 'token'], remove: true },
    },
    output.stream,
  );
  return wrap(lines, output);
}

type Level = Exclude<LogLevel, 'silent'>;

/** Levels of lines that tell of a fault. */
const URGENT: ReadonlySet<Level> = new Set(['warn', 'error', 'fatal']);

function wrap(lines: PinoLogger, output: LogOutput): Logger {
  const line = (level: Level): LogLine => {
    return (first: string | LogFields, second?: string) => {
      if (output.isClosed() || !lines.isLevelEnabled(level)) return;
      const [fields, message] = typeof first === 'string' ? [{}, first] : [first, second ?? ''];
      lines[level](lineFields(fields, lines.isLevelEnabled('debug')), mask(message));
      output.hasLine(URGENT.has(level));
    };
  };
  return {
    debug: line('debug'),
    info: line('info'),
    warn: line('warn'),
    error: line('error'),
    fatal: line('fatal'),
    child: (fields) => wrap(lines.child(safeFields(fields)), output),
    close: output.close,
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
