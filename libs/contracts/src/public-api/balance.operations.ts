import { BalanceList, GetStatementQuery, Statement } from './balance.ts';
import { secretKey, type Operation } from './operation.ts';

/** Reading how the money stands and how it moved. */
export const balanceOperations = {
  getBalance: {
    id: 'getBalance',
    method: 'GET',
    path: '/v1/balance',
    tag: 'Balance',
    summary: 'Get what is on hold, captured, refunded and reversed, by gateway and currency',
    description:
      'Sums of everything that was posted in this mode, exact to the last decimal of each currency. They are those of the payments of ' +
      'all group payments.',
    accepts: secretKey,
    success: { status: 200, body: BalanceList },
    errors: [],
    isExtension: true,
  },
  getStatement: {
    id: 'getStatement',
    method: 'GET',
    path: '/v1/balance/statement',
    tag: 'Balance',
    summary: 'Get what moved on each day of a period, with opening and closing balance',
    description:
      'By gateway and currency. `opening.amount_on_hold` + `amount_held` − `amount_released` − `amount_captured` is ' +
      '`closing.amount_on_hold`; `opening.amount_net` + `amount_captured` − `amount_refunded` + `amount_returned` − `amount_reversed` ' +
      'is `closing.amount_net`. The closing balance of a period is the opening balance of the next one.',
    accepts: secretKey,
    query: GetStatementQuery,
    success: { status: 200, body: Statement },
    errors: [],
    isExtension: true,
  },
} as const satisfies Record<string, Operation>;
