import type { LogFields, Logger } from '@gp/telemetry';

/** Log lines of the services of a world, and faults that must not happen in any. */
export class Journal {
  /** Faults of the simulation itself, such as a statement that the databases do not know. */
  readonly faults: string[] = [];
  readonly lines: string[] = [];
  readonly #keepsLog: boolean;
  readonly log: Logger;

  constructor(keepsLog: boolean) {
    this.#keepsLog = keepsLog;
    const line = (level: string) => (first: string | LogFields, message?: string) =>
      this.write(level, first, message);
    const levels = { debug: () => undefined, info: line('info'), warn: line('warn'), error: line('error') };
    const log = { ...levels, fatal: line('fatal'), child: (): Logger => log, close: () => Promise.resolve() };
    this.log = log;
  }

  write(level: string, first: string | LogFields, message = ''): void {
    if (!this.#keepsLog) return;
    const { err, ...fields } =
      typeof first === 'string' ? {} : (first as LogFields & Record<string, unknown>);
    const reason = err instanceof Error ? ` ${err.stack ?? err.message}` : '';
    const text = typeof first === 'string' ? first : message;
    this.lines.push(`${new Date().toISOString()} ${level} ${text} ${JSON.stringify(fields, plain)}${reason}`);
  }
}

/** JSON has no number as large as a sequence number may be. */
const plain = (_name: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value);
