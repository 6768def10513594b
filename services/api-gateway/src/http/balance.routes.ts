import { publicApi, type MoneyMovements, type MoneyStanding, type MoneyStatement } from '@gp/contracts';
import { toScope } from '../app/callers/caller.ts';
import { shownAmount } from './group-payments/group-payment.view.ts';
import type { Handle } from './request/endpoint.ts';
import { queryReader } from './request/validator.ts';
import type { RouteParts } from './route-parts.ts';

const read = queryReader(publicApi.GetStatementQuery);

/** GET /v1/balance */
export function getBalance({ services }: RouteParts): Handle {
  return async (_request, caller) => {
    const { balances } = await services.findBalance(toScope(caller));
    const shown = balances.map(({ psp_code, currency, movements, ...standing }) => ({
      psp_code,
      currency,
      ...buildStanding(standing, currency),
      ...buildMovements(movements, currency),
    }));
    return { status: 200, body: { balances: shown, is_test_mode: caller.mode === 'test' } };
  };
}

/** GET /v1/balance/statement */
export function getStatement({ services }: RouteParts): Handle {
  return async (request, caller) => {
    const asked = { ...toScope(caller), ...read(request.query), skip: 0 };
    const { from, to, time_zone, statements, is_final = false } = await services.findStatement(asked);
    const period = { from, to, time_zone, is_test_mode: caller.mode === 'test', is_final };
    return { status: 200, body: { ...period, statements: statements.map(buildStatement) } };
  };
}

function buildStatement({ psp_code, currency, opening, movements, closing, days }: MoneyStatement) {
  return {
    psp_code,
    currency,
    opening: buildStanding(opening, currency),
    movements: buildMovements(movements, currency),
    closing: buildStanding(closing, currency),
    days: days.map((day) => ({
      date: day.day,
      ...buildMovements(day, currency),
      ...buildStanding(day, currency),
    })),
  };
}

function buildStanding({ on_hold_minor, net_minor, tips_minor = '0' }: MoneyStanding, currency: string) {
  return {
    amount_on_hold: shownAmount(on_hold_minor, currency),
    amount_net: shownAmount(net_minor, currency),
    amount_tips: shownAmount(tips_minor, currency),
  };
}

function buildMovements(moved: MoneyMovements, currency: string) {
  return {
    amount_held: shownAmount(moved.held_minor, currency),
    amount_released: shownAmount(moved.released_minor, currency),
    amount_captured: shownAmount(moved.captured_minor, currency),
    amount_refunded: shownAmount(moved.refunded_minor, currency),
    amount_returned: shownAmount(moved.returned_minor, currency),
    amount_reversed: shownAmount(moved.reversed_minor, currency),
    amount_disputed: shownAmount(moved.disputed_minor, currency),
  };
}
