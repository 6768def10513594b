import type * as contracts from '@gp/contracts';
import type { Movement, MovementKind, MovementTotal, RequestOf, ResponseOf } from '@gp/contracts';
import type { Db } from '@gp/pg';
import { aheadMs } from '@gp/test-clock';
import * as rows from '../../db/books/movements.ts';
import { parsePeriod } from '../../domain/index.ts';
import { toScope } from '../change/change-group.ts';

type List = typeof contracts.listMovements;

/** Returns a page of a merchant's movements in a period of statements. */
export function listMovements(db: Db): (r: RequestOf<List>) => Promise<ResponseOf<List>> {
  return async (request) => {
    const { kind, currency, psp_code: pspCode, limit, after, with_totals: withTotals } = request;
    const scope = toScope(request);
    const { days, boundsMs, timeZone } = parsePeriod(request, Date.now() + (await aheadMs(db, scope)));
    const [from = '', until = ''] = [boundsMs[0], boundsMs.at(-1)].map((ms) =>
      new Date(ms ?? NaN).toISOString(),
    );
    const filter = { from, until, kind, currency, pspCode };
    const found = await rows.listMovements(db, scope, { filter, after, limit: limit + 1, withTotals });
    const movements = found.rows.slice(0, limit).map(movementView);
    const last = found.rows.length > limit ? movements.at(-1) : undefined;
    return {
      ...{ from: days[0] ?? '', to: days.at(-1) ?? '', time_zone: timeZone, movements },
      next: last ? { created_at: last.at, id: last.id } : null,
      ...(found.totals && { totals: found.totals.map(totalView) }),
    };
  };
}

function movementView({ at, kind, amount_minor, ...row }: rows.MovementRow): Movement {
  return { ...row, at: at.toISOString(), kind: kind as MovementKind, amount_minor: String(amount_minor) };
}

function totalView({
  currency,
  kind,
  count,
  amount_minor,
  tips_minor,
}: rows.MovementTotalRow): MovementTotal {
  return {
    currency,
    kind: kind as MovementKind,
    count: Number(count),
    amount_minor: String(amount_minor),
    tips_minor: String(tips_minor),
  };
}
