import { fitting } from '@gp/bus';
import type * as contracts from '@gp/contracts';
import type {
  MoneyBalance,
  MoneyMovements,
  MoneyStanding,
  MoneyStatement,
  RequestOf,
  ResponseOf,
} from '@gp/contracts';
import type { Db } from '@gp/pg';
import { aheadMs } from '@gp/test-clock';
import { sumMoney } from '../../db/books/money.ts';
import {
  buildStatements,
  parsePeriod,
  type Movements,
  type Standing,
  type Statement,
} from '../../domain/index.ts';
import { toScope } from '../change/change-group.ts';

type Balance = typeof contracts.findBalance;
type ForPeriod = typeof contracts.findStatement;

/** Everything that was ever posted, a test clock's future included. */
const ALL = ['infinity'];

/** Returns how a merchant's money stands now. */
export function findBalance(db: Db): (r: RequestOf<Balance>) => Promise<ResponseOf<Balance>> {
  return async (request) => {
    const { sums, disputes } = await sumMoney(db, toScope(request), ALL);
    return { balances: buildStatements([], sums, disputes).map(balance) };
  };
}

/** Returns statements for a period. */
export function findStatement(db: Db): (r: RequestOf<ForPeriod>) => Promise<ResponseOf<ForPeriod>> {
  return async (request) => {
    const scope = toScope(request);
    const nowMs = Date.now() + (await aheadMs(db, scope));
    const { days, boundsMs, timeZone } = parsePeriod(request, nowMs);
    const bounds = boundsMs.map((ms) => new Date(ms).toISOString());
    const { sums, disputes } = await sumMoney(db, scope, bounds);
    const rest = buildStatements(days, sums, disputes).slice(request.skip);
    const statements = fitting(rest.map(statement));
    const [from = '', to = ''] = [days[0], days.at(-1)];
    const is_final = nowMs >= (boundsMs.at(-1) ?? Infinity);
    return { from, to, time_zone: timeZone, statements, is_cut: statements.length < rest.length, is_final };
  };
}

function balance({ pspCode, currency, before, opening }: Statement): MoneyBalance {
  return { psp_code: pspCode, currency, ...standing(opening), movements: movements(before) };
}

function statement({ pspCode, currency, days, ...sums }: Statement): MoneyStatement {
  return {
    psp_code: pspCode,
    currency,
    opening: standing(sums.opening),
    movements: movements(sums.movements),
    closing: standing(sums.closing),
    days: days.map((day) => ({ day: day.day, ...movements(day), ...standing(day) })),
  };
}

const standing = ({ onHoldMinor, netMinor, tipsMinor }: Standing): MoneyStanding => ({
  on_hold_minor: String(onHoldMinor),
  net_minor: String(netMinor),
  tips_minor: String(tipsMinor),
});

const movements = (moved: Movements): MoneyMovements => ({
  held_minor: String(moved.heldMinor),
  released_minor: String(moved.releasedMinor),
  captured_minor: String(moved.capturedMinor),
  refunded_minor: String(moved.refundedMinor),
  returned_minor: String(moved.returnedMinor),
  reversed_minor: String(moved.reversedMinor),
  disputed_minor: String(moved.disputedMinor),
});
