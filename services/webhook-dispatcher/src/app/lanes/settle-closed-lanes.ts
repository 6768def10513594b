import type { Db } from '@gp/pg';
import type { Loop } from '@gp/service';
import { settleClosedLane } from '../../db/closed-lanes.ts';

/** Holds what waits for disabled endpoints and cancels what waits for deleted ones. */
export function settleClosedLanes(db: Db): Loop & { wake(): void } {
  let wake = (): void => undefined;
  return {
    name: 'settle-closed-lanes',
    idleMs: 1_000,
    onWake: (given) => (wake = given),
    wake: () => wake(),
    runOnce: async () => ((await settleClosedLane(db)) === undefined ? 'idle' : 'busy'),
  };
}
