import type { Readable } from 'node:stream';

/** What a command sees of the process it runs in. */
export type Shell = {
  /** Of the program. */
  readonly version: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: Readable;
  /** Whether a person can be asked. */
  readonly isTerminal: boolean;
  /** Results. */
  readonly out: (text: string) => void;
  /** What is not a result: progress, questions, failures. */
  readonly err: (text: string) => void;
  /** Aborts when the user ends the program. */
  readonly signal: AbortSignal;
};

/** Options that every command takes. */
export type Common = {
  readonly profile?: string;
  readonly json?: boolean;
};

/** Prints a result: as JSON where that is asked for, else as text for people. */
export function print({ out }: Shell, { json }: Common, value: unknown, text: string): void {
  out(json === true ? `${JSON.stringify(value, undefined, 2)}\n` : `${text}\n`);
}

/** Waits; ends early when the user ends the program. */
export function pause({ signal }: Pick<Shell, 'signal'>, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    if (signal.aborted) end();
    else signal.addEventListener('abort', end);
  });
}
