import type { TestWork } from '@gp/contracts';
import type { TestClock } from '../db/test-clocks.ts';

/** What each service saw at the latest look, by its word in subjects. */
export type Seen = ReadonlyMap<string, string>;

/** The services that live by merchants' test clocks. */
export type Followers = {
  /** Resolves when every service judges by the clock's place. Rejects when one does not answer. */
  tell(clock: TestClock): Promise<void>;
  /** What each has left to do for the merchant, and when it will next. Rejects when one does not answer. */
  look(merchantId: string, seen: Seen): Promise<ReadonlyMap<string, TestWork>>;
};
