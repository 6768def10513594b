import type { Loop } from '@gp/service';
import { openLanes, type Admission, type Lane, type LaneRules } from './lanes.ts';

/** A loop that works on the items of many merchants; close it before what its items use. */
export type LaneLoop = Loop & {
  /** Call it when an item was stored. */
  wake(): void;
  /** Resolves when nothing is in hand. */
  idle(): Promise<void>;
  /** Claims nothing more, and resolves when the items in hand are finished. */
  close(): Promise<void>;
};

/** Looks which lanes have due items and starts them; a lane goes on by itself until it has none. */
export function laneLoop<L extends Lane, A extends Admission, Item>(
  o: Omit<LaneRules<L, A, Item>, 'onEmpty'> & {
    readonly name: string;
    readonly idleMs: number;
    readonly listDue: () => Promise<readonly L[]>;
  },
): LaneLoop {
  let wake = (): void => undefined;
  const lanes = openLanes({ ...o, onEmpty: () => wake() });
  return {
    name: o.name,
    idleMs: o.idleMs,
    onWake: (listener) => (wake = listener),
    wake: () => wake(),
    async runOnce() {
      for (const lane of await o.listDue()) lanes.start(lane);
      return 'idle';
    },
    idle: lanes.idle,
    close: lanes.close,
  };
}
