import type {
  findRecovery as finding,
  RecoveryView,
  RequestOf,
  ResponseOf,
  startRecovery as starting,
} from '@gp/contracts';
import { AppError, notFound, validationError } from '@gp/errors';
import type { Db } from '@gp/pg';
import type { Loop } from '@gp/service';
import { aheadMs } from '@gp/test-clock';
import { uuidv7 } from 'uuidv7';
import type { Scope } from '../../db/endpoints.ts';
import * as jobs from '../../db/recoveries.ts';
import { periodFault } from '../../domain/period.ts';
import { failAfter, failBefore } from '../../fail-points.ts';
import { knownEndpoint, openEndpoint } from '../endpoints/open-endpoint.ts';

type Start = (request: RequestOf<typeof starting>) => Promise<ResponseOf<typeof starting>>;
type Find = (request: RequestOf<typeof finding>) => Promise<ResponseOf<typeof finding>>;

/** A hundred a second at most, and never more than that waiting in front of what happens now. */
const PACE: jobs.Pace = { step: 100, pauseMs: 1_000 };
const IDLE_MS = 1_000;

/**
 * Starts to send an endpoint the events of a period that are held, failed or have no delivery. The period begins at
 * most 30 days ago; without `until` it ends now, in test mode by the merchant's test clock. Rejects with `not_found`,
 * with `validation_error` (since, until), and with `conflict` while the endpoint is disabled or another recovery of
 * it is running.
 */
export function startRecovery(o: { readonly db: Db; readonly wake: () => void }): Start {
  return async ({ endpoint_id, since: from, until: to, ...scope }) => {
    await openEndpoint(o.db, scope, endpoint_id);
    const now = new Date();
    const until = to === undefined ? await merchantsNow(o.db, scope, now) : new Date(to);
    const period = { since: new Date(from), until };
    const fault = periodFault(period, now);
    if (fault) throw validationError(fault.param, fault.reason);
    failBefore('recover');
    const row = await jobs.insertRecovery(o.db, uuidv7(), endpoint_id, period);
    failAfter('recover');
    const isSame = +row.since === +period.since && (to === undefined || +row.until === +period.until);
    if (!isSame) throw new AppError('conflict', { message: 'another recovery of this endpoint is running' });
    o.wake();
    return view(row);
  };
}

/** Now as the ledger dates a merchant's events: their test clock counts in test mode. */
async function merchantsNow(db: Db, scope: Scope, now: Date): Promise<Date> {
  return new Date(now.getTime() + (await aheadMs(db, { merchantId: scope.merchant_id, mode: scope.mode })));
}

/** How far a recovery is; rejects with `not_found`. */
export function findRecovery(db: Db): Find {
  return async ({ endpoint_id, recovery_id, ...scope }) => {
    await knownEndpoint(db, scope, endpoint_id);
    const row = await jobs.findRecovery(db, endpoint_id, recovery_id);
    if (!row) throw notFound('recovery');
    return view(row);
  };
}

/**
 * Works recoveries off step by step; any number of replicas may. A step is one commit that moves the position and makes
 * deliveries due: after a crash at any point, the next one continues from there.
 */
export function recoverDeliveries(o: {
  readonly db: Db;
  readonly onRecovered: () => void;
  readonly pace?: jobs.Pace;
}): Loop & { wake(): void } {
  let wake = (): void => undefined;
  return {
    name: 'recover-deliveries',
    idleMs: IDLE_MS,
    onWake: (given) => (wake = given),
    wake: () => wake(),
    async runOnce() {
      if (!(await jobs.isAnyRecoveryRunning(o.db))) return 'empty';
      const result = await jobs.stepRecovery(o.db, o.pace ?? PACE, () => failBefore('recover-step'));
      if (result === undefined) return 'idle';
      failAfter('recover-step');
      o.onRecovered();
      return 'busy';
    },
  };
}

function view(row: jobs.RecoveryRow): RecoveryView {
  return {
    id: row.id,
    since: row.since.toISOString(),
    until: row.until.toISOString(),
    status: row.status,
    recovered: row.recovered,
    created_at: row.created_at.toISOString(),
    ended_at: row.ended_at?.toISOString() ?? null,
  };
}
