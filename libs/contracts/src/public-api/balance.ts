import Type, { type Static } from '@gp/bundled/typebox';
import { LONGEST_STATEMENT_DAYS } from '../ledger/money.ts';
import { Currency, Gateway, Request, Response, ShownAmount, TimeZone } from './fields.ts';

const Day = (description: string) => Type.String({ format: 'date', description, examples: ['2026-01-31'] });

export const GetStatementQuery = Request('GetStatementQuery', {
  from: Type.Optional(
    Day('The first day; without it the first day of the month of `to`, or of the current month.'),
  ),
  to: Type.Optional(
    Day(
      `The last day, at most ${LONGEST_STATEMENT_DAYS - 1} days after \`from\`; without it the last day of the month of \`from\`.`,
    ),
  ),
  time_zone: Type.Optional(
    TimeZone('The time zone of the days, by its name in the IANA database; UTC without it.'),
  ),
});
export type GetStatementQuery = Static<typeof GetStatementQuery>;

const standing = {
  amount_on_hold: ShownAmount('What is held on cards and was not captured, in currency units.'),
  amount_net: ShownAmount(
    'What was captured, without what was refunded or reversed, in currency units. Fees and payouts of the gateway are not known here.',
  ),
  amount_tips: ShownAmount('How much of the net amount is tips.'),
};

const movements = {
  amount_held: ShownAmount('What was placed on cards.'),
  amount_released: ShownAmount('What was held and given back without a capture.'),
  amount_captured: ShownAmount('What was captured.'),
  amount_refunded: ShownAmount('What was refunded, in the dashboard of the gateway as well as here.'),
  amount_returned: ShownAmount('What came back of refunds, because a bank refused them.'),
  amount_reversed: ShownAmount('What the card scheme took back of captures.'),
  amount_disputed: ShownAmount(
    'What is left of payments whose dispute, begun then, is open or was lost. It is part of the net amount: whether a gateway has ' +
      'taken it is not known here. It is 0 again once a dispute has ended without a loss.',
  ),
};

const ofGateway = {
  psp_code: { ...Gateway, description: 'The gateway that carried the payments.' },
  currency: Currency,
};
const isTestMode = Type.Boolean({ description: 'Whether no real money moves.' });

export const Balance = Response('Balance', { ...ofGateway, ...standing, ...movements });

export const BalanceList = Response('BalanceList', {
  balances: Type.Array(Balance, {
    description:
      'One for each gateway and currency in which there was ever a hold; the movements are those since then.',
  }),
  is_test_mode: isTestMode,
});

const BalanceAmounts = Response('BalanceAmounts', standing, {
  description: 'Where the money stands at one moment.',
});
const BalanceMovements = Response('BalanceMovements', movements, {
  description: 'What moved, in currency units.',
});

export const StatementDay = Response('StatementDay', {
  date: Day('The day, in the time zone of the statement.'),
  ...movements,
  ...standing,
});

export const GatewayStatement = Response('GatewayStatement', {
  ...ofGateway,
  opening: BalanceAmounts,
  movements: BalanceMovements,
  closing: BalanceAmounts,
  days: Type.Array(StatementDay, {
    maxItems: LONGEST_STATEMENT_DAYS,
    description: 'The days with a movement, oldest first, with the balance at their end.',
  }),
});

export const Statement = Response('Statement', {
  from: Day('The first day.'),
  to: Day('The last day.'),
  time_zone: TimeZone('The time zone of the days.'),
  is_test_mode: isTestMode,
  is_final: Type.Boolean({
    description:
      'Whether the period is over, so that nothing but `amount_disputed` can change. In test mode the test clock decides.',
  }),
  statements: Type.Array(GatewayStatement, {
    description: 'One for each gateway and currency in which there was a hold until the last day.',
  }),
});
