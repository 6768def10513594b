import type { MoneyBalance, MoneyMovements, MoneyStanding, MoneyStatement } from '@gp/contracts';
import { moneyView } from '../../domain/money-view.ts';
import type { MovedMoney, ShownBalance, ShownStatement, StandingMoney } from '../api.ts';

export function balanceView({ psp_code, currency, movements, ...standing }: MoneyBalance): ShownBalance {
  return { psp_code, currency, ...standingView(standing, currency), ...movedView(movements, currency) };
}

export function statementView({ psp_code, currency, days, ...sums }: MoneyStatement): ShownStatement {
  return {
    psp_code,
    currency,
    opening: standingView(sums.opening, currency),
    movements: movedView(sums.movements, currency),
    closing: standingView(sums.closing, currency),
    days: days.map((day) => ({
      day: day.day,
      ...movedView(day, currency),
      ...standingView(day, currency),
    })),
  };
}

function standingView(
  { on_hold_minor, net_minor, tips_minor = '0' }: MoneyStanding,
  currency: string,
): StandingMoney {
  return {
    on_hold: moneyView(on_hold_minor, currency),
    net: moneyView(net_minor, currency),
    tips: moneyView(tips_minor, currency),
  };
}

function movedView(moved: MoneyMovements, currency: string): MovedMoney {
  return {
    held: moneyView(moved.held_minor, currency),
    released: moneyView(moved.released_minor, currency),
    captured: moneyView(moved.captured_minor, currency),
    refunded: moneyView(moved.refunded_minor, currency),
    returned: moneyView(moved.returned_minor, currency),
    reversed: moneyView(moved.reversed_minor, currency),
    disputed: moneyView(moved.disputed_minor, currency),
  };
}
