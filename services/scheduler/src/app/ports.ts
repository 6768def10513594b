import type { TestWork } from '@gp/contracts';
import type { TestClock } from '../db/test-clocks.ts';

/** What each service saw at the latest look, by its word in subjects. */
export type Seen = ReadonlyMap<string, string>;

/** A moment, by how far the streams were written in it. */
export type Mark = { readonly published: Readonly<Record<string, number>>; readonly asOf: Date };

/** The services that live by merchants' test clocks. */
export type Followers = {
  /** Resolves when every service judges by the clock's place. Rejects when one does not answer. */
  tell(clock: TestClock): Promise<void>;
  /** This moment. */
  mark(): Promise<Mark>;
  /**
   * What each has left to do for the merchant, how much of that there was at the mark, and when there will be more. Rejects
   * when one does not answer.
   */
  look(merchantId: string, mark: Mark, seen: Seen): Promise<ReadonlyMap<string, TestWork>>;
};
