import type { MoneyChart } from '../../../../src/http/api.ts';
import { formatDay } from '../../format/instant.ts';
import { formatMoney } from '../../format/money.ts';
import { BarChart } from './bar-chart.tsx';
import type { Series } from './chart.ts';

type Chart = MoneyChart['currencies'][number];

const SERIES = [
  { part: 'held', name: 'Held' },
  { part: 'captured', name: 'Captured' },
  { part: 'refunded', name: 'Refunded' },
] as const satisfies readonly Series[];

/** Shows money by day. Heights are drawn from doubles; every amount shown as text is exact. */
export function MoneyOverTime({ chart: { currency, days, totals } }: { chart: Chart }) {
  const digits = days[0]?.held.text.split('.')[1]?.length ?? 0;
  const [first, last] = [days[0], days.at(-1)].map((one) => formatDay(one?.day ?? '1970-01-01'));
  const sums = SERIES.map(({ part, name }) => `${formatMoney(totals[part])} ${name.toLowerCase()}`);
  return (
    <BarChart
      title="Money by day"
      description={`From ${first} to ${last}: ${sums.join(', ')}.`}
      series={SERIES}
      columns={days.map((day) => ({
        name: formatDay(day.day),
        bars: SERIES.map(({ part }) => ({ height: Number(day[part].text), text: formatMoney(day[part]) })),
      }))}
      formatTick={(value) => formatMoney({ text: value.toFixed(digits), currency })}
      size="tall"
    />
  );
}
