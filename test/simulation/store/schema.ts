import type { Undoing } from './table.ts';

/** The state beside the tables that a statement sees. */
export type Moment = {
  /** `clock_timestamp()`, ms. */
  readonly nowMs: number;
  /** Says that a loop will find work at this instant. */
  readonly dueAt: (loop: string, atMs: number) => void;
};

/** The effect of a named statement's text on the tables. */
export type Handler<Tables> = (tables: Tables, values: readonly unknown[], moment: Moment) => unknown[];

export type Handlers<Tables> = Readonly<Record<string, Handler<Tables>>>;

/** A schema of one service: its tables, what its statements do, and when its loops have work. */
export type Schema<Tables> = {
  readonly open: (undoing: Undoing) => Tables;
  readonly handlers: Handlers<Tables>;
  /** When each loop finds work next, ms; undefined when it has none. */
  readonly nextDue: Readonly<Record<string, (tables: Tables, nowMs: number) => number | undefined>>;
};

/** Statements of work that is not simulated find nothing. */
export const findsNothing = (): unknown[] => [];

export const parse = <T>(value: unknown): T => (typeof value === 'string' ? JSON.parse(value) : value) as T;
export const hex = (value: unknown): string => Buffer.from(value as Uint8Array).toString('hex');
export const text = (value: unknown): string => value as string;
/** The value of a parameter of type timestamptz, ms. */
export const instant = (value: unknown): number =>
  value instanceof Date ? value.getTime() : Date.parse(value as string);
export const instantOrNull = (value: unknown): number | null => (value === null ? null : instant(value));
/** An instant as `to_jsonb` writes it. */
export const isoText = (ms: number): string => new Date(ms).toISOString();

export function smallest(values: Iterable<number>): number | undefined {
  let least: number | undefined;
  for (const value of values) if (least === undefined || value < least) least = value;
  return least;
}
