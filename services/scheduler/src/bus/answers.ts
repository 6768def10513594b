import type { Bus } from '@gp/bus';
import * as contracts from '@gp/contracts';
import type { Db } from '@gp/pg';
import type { Service } from '@gp/service';
import { advanceTestClock, resetTestClock } from '../app/advance-test-clock.ts';
import { findClock } from '../db/test-clocks.ts';

/** Every call that the scheduler handles. */
export function answerCalls(
  service: Pick<Service<unknown>, 'serve'>,
  bus: Bus,
  parts: { readonly db: Db; readonly wakeDriver: () => void },
): void {
  service.serve(bus, contracts.findTestClock, ({ merchant_id }) => findClock(parts.db, merchant_id));
  service.serve(bus, contracts.advanceTestClock, advanceTestClock(parts));
  service.serve(bus, contracts.resetTestClock, resetTestClock(parts));
}
