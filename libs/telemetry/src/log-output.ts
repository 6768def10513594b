import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { pino, type DestinationStream } from 'pino';

/** Where the lines of a log go. */
export type LogOutput = {
  readonly stream: DestinationStream;
  /** Call it after each line: an urgent one is written at once, others with those that follow soon. */
  readonly hasLine: (isUrgent: boolean) => void;
  readonly isClosed: () => boolean;
  /** Resolves when every line is written, or after five seconds. */
  close(): Promise<void>;
};

/** The part of a SonicBoom that is used here. */
type Stdout = DestinationStream & NodeJS.EventEmitter & { end(): void };

/**
 * How long a line waits for others. A write costs as much as making a line (6 to 11 % of the CPU of each service that takes
 * part in a payment), and the lines of one request come within this time. A `kill -9` loses them.
 */
const GATHERED_MS = 20;
/** As many characters are written without waiting. */
const GATHERED_LENGTH = 16 * 1024;
/**
 * A reader that takes no lines must not keep the process from ending: this wait keeps it alive to report its
 * exit code. On a machine without a free core one write can take longer than a second.
 */
const CLOSE_MS = 5_000;

/** Opens stdout, which gets several lines in one write. */
export function openStdout(stdout: Stdout = pino.destination({ dest: 1, sync: false })): LogOutput {
  let closed: Promise<void> | undefined;
  let gathered = '';
  let timer: NodeJS.Timeout | undefined;
  const write = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (gathered !== '') stdout.write(gathered);
    gathered = '';
  };
  // A write in progress would be lost with the process, and a synchronous flush cannot wait for it.
  const end = async (): Promise<void> => {
    write();
    const written = once(stdout, 'close').catch(() => undefined);
    stdout.end();
    await Promise.race([written, delay(CLOSE_MS)]);
  };
  return {
    stream: { write: (line) => void (gathered += line) },
    hasLine(isUrgent) {
      if (isUrgent || gathered.length >= GATHERED_LENGTH) write();
      else timer ??= setTimeout(write, GATHERED_MS);
    },
    isClosed: () => closed !== undefined,
    close: () => (closed ??= end()),
  };
}

/** A stream that gets each line on its own and belongs to its owner. */
export function toStream(stream: DestinationStream): LogOutput {
  let isClosed = false;
  return {
    stream,
    hasLine: () => undefined,
    isClosed: () => isClosed,
    close: async () => void (isClosed = true),
  };
}
