import type {
  findBalance,
  findStatement,
  MoneyMovements,
  MoneyStatement,
  RequestOf,
  ResponseOf,
} from '@gp/contracts';

const movements: MoneyMovements = {
  held_minor: '15000',
  released_minor: '5000',
  captured_minor: '9000',
  refunded_minor: '1050',
  returned_minor: '50',
  reversed_minor: '3000',
  disputed_minor: '1',
};
const opening = { on_hold_minor: '0', net_minor: '-5' };
const closing = { on_hold_minor: '1000', net_minor: '4995', tips_minor: '250' };

/** One statement of each number of decimals. */
export const moneyStatements: readonly MoneyStatement[] = ['EUR', 'JPY', 'BHD'].map((currency) => ({
  psp_code: 'gateway_b',
  currency,
  opening,
  movements,
  closing,
  days: [{ day: '2026-01-31', ...movements, ...closing }],
}));

export const fakeBalance = (
  _request: RequestOf<typeof findBalance>,
): Promise<ResponseOf<typeof findBalance>> =>
  Promise.resolve({
    balances: moneyStatements.map(({ psp_code, currency }) => ({
      psp_code,
      currency,
      ...closing,
      movements,
    })),
  });

/** All statements, in as many replies as there are. */
export const fakeStatement = ({
  from = '2026-01-01',
  to = '2026-01-31',
  time_zone = 'UTC',
  skip,
}: RequestOf<typeof findStatement>): Promise<ResponseOf<typeof findStatement>> =>
  Promise.resolve({
    ...{ from, to, time_zone },
    statements: moneyStatements.slice(skip, skip + 1),
    is_cut: skip + 1 < moneyStatements.length,
    is_final: true,
  });
