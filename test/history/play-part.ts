import { openOwnStack } from '../support/own-stack.ts';
import { assertEndpointsFree } from './endpoints.ts';
import type { HistoryPlan } from './plan.ts';
import { runHistory, type History } from './run-history.ts';
import { hurried } from './settings.ts';
import { readHistory, storeHistory } from './stored-history.ts';

/**
 * Plays one more part of the history in `dir`: starts the platform on the data that the parts before left there, continues
 * with their clients and endpoints, judges all parts together, stores what the next part needs, and stops the platform. In
 * an empty or missing folder it is the first part. Each part draws from another seed than those before. Rejects with a
 * `Refusal` when the history cannot be continued.
 */
export async function playPart(dir: string, plan: HistoryPlan): Promise<History> {
  const before = await readHistory(dir);
  await assertEndpointsFree(before.endpoints);
  const own = await openOwnStack(hurried, { dataDir: dir });
  try {
    await storeHistory(dir, { ...before, state: 'playing' });
    const history = await runHistory(own, { ...plan, seed: plan.seed + before.parts }, before);
    await storeHistory(dir, history.stored);
    return history;
  } catch (cause) {
    const why = 'a part broke off, and what its endpoints heard is lost';
    throw new Error(`${why}: the history in ${dir} cannot be continued`, { cause });
  } finally {
    await own.close({ keepData: true });
  }
}
