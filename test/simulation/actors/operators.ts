import { giveUpCaptures, retryCaptures } from '@gp/contracts';
import { connectBus } from '../bus/bus.ts';
import type { World } from '../world/world.ts';

const HOUR_MS = 3_600_000;

/** Operators do what payments wait for whose captures failed: they try once more, then give up (D5). */
export function operate(world: World): void {
  const { time, people, broker, calls, ledger } = world;
  const bus = connectBus(people, broker, calls);
  const look = (hasTried: boolean): void => {
    for (const { group, intents } of ledger.tables.groups.all())
      if (intents.some(({ state }) => state === 'capture_failed')) {
        const request = { group_id: group.id };
        void bus.call(hasTried ? giveUpCaptures : retryCaptures, request).catch(() => undefined);
      }
    time.after(6 * HOUR_MS, people, () => look(true));
  };
  time.after(HOUR_MS, people, () => look(false));
}
