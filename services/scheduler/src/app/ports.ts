import type { TestWork } from '@gp/contracts';
import type { TestClock } from '../db/test-clocks.ts';

/** The position that each service reported at the latest look, by its name in subjects. */
export type Seen = ReadonlyMap<string, string>;

/** A moment: the last sequence of each stream, and the time. */
export type Mark = { readonly published: Readonly<Record<string, number>>; readonly asOf: Date };

/** The services that follow the test clocks of merchants. */
export type Followers = {
  /** Announces the clock's position; resolves when every service uses it. Rejects when one does not answer. */
  announce(clock: TestClock): Promise<void>;
  /** Returns the present moment. */
  mark(): Promise<Mark>;
  /**
   * Returns what each service has left to do for the merchant, how much of that existed at the mark, and when more falls due.
   * Rejects when one does not answer.
   */
  look(merchantId: string, mark: Mark, seen: Seen): Promise<ReadonlyMap<string, TestWork>>;
};
