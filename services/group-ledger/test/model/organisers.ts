import type { Command } from '../../src/domain/index.ts';
import { step } from './step.ts';
import {
  computeNow,
  latestExpiryMs,
  merchantExpiryMs,
  type Decide,
  type Visit,
  type World,
} from './world.ts';

/**
 * Commands of the organiser in any state of the group, those without a right and behind the latest expiry included, and an
 * extension by the merchant, who may go further (Q84, Q85).
 */
export function organiserActs(world: World, decide: Decide, visit: Visit): void {
  tell('the organiser extends', { type: 'organiserExtend', expiresAtMs: latestExpiryMs });
  tell('the organiser extends too far', { type: 'organiserExtend', expiresAtMs: merchantExpiryMs });
  tell('the organiser cancels', { type: 'organiserCancel' });
  tell('the merchant extends', { type: 'update', expiresAtMs: merchantExpiryMs, changesNames: false });

  function tell(name: string, command: Command): void {
    const next = step(world, decide, command, computeNow(world));
    if (next) visit(name, next);
  }
}
