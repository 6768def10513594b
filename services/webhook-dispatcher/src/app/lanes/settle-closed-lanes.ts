import type { Db } from '@gp/pg';
import type { Loop, Wake } from '@gp/service';
import { isAnyLaneWaiting, settleClosedLane } from '../../db/closed-lanes.ts';

/** Holds what waits for disabled endpoints and cancels what waits for deleted ones. */
export function settleClosedLanes(db: Db): Loop & { wake: Wake } {
  let wake: Wake = () => undefined;
  return {
    name: 'settle-closed-lanes',
    idleMs: 1_000,
    onWake: (given) => (wake = given),
    wake: (withinMs) => wake(withinMs),
    async runOnce() {
      if (!(await isAnyLaneWaiting(db))) return 'empty';
      return (await settleClosedLane(db)) === undefined ? 'idle' : 'busy';
    },
  };
}
