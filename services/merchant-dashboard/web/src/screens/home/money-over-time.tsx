import { BarChart } from '@mantine/charts';
import type { MoneyChart } from '../../../../src/http/api.ts';
import { formatDay } from '../../format/instant.ts';
import { formatMoney } from '../../format/money.ts';

type Chart = MoneyChart['currencies'][number];

const SERIES = [
  { name: 'held', label: 'Held', color: 'cyan.7' },
  { name: 'captured', label: 'Captured', color: 'green.8' },
  { name: 'refunded', label: 'Refunded', color: 'gray.6' },
];

/** Shows money by day. Heights are drawn from doubles; every amount shown as text is exact. */
export function MoneyOverTime({ chart: { currency, days } }: { chart: Chart }) {
  const digits = days[0]?.held.text.split('.')[1]?.length ?? 0;
  const data = days.map(({ day, held, captured, refunded }) => ({
    day: formatDay(day),
    held: Number(held.text),
    captured: Number(captured.text),
    refunded: Number(refunded.text),
  }));
  const spoken = days
    .filter(({ held, captured, refunded }) => [held, captured, refunded].some(({ minor }) => minor !== '0'))
    .map(
      ({ day, held, captured, refunded }) =>
        `${formatDay(day)}: ${formatMoney(held)} held, ${formatMoney(captured)} captured, ${formatMoney(refunded)} refunded`,
    );
  return (
    <div role="img" aria-label={`Money by day. ${spoken.join('. ')}`}>
      <BarChart
        h={240}
        data={data}
        dataKey="day"
        series={SERIES}
        valueFormatter={(value) => formatMoney({ text: value.toFixed(digits), currency })}
        xAxisProps={{ interval: 'equidistantPreserveStart' }}
        yAxisProps={{ width: 80 }}
        barProps={{ isAnimationActive: false, maxBarSize: 28 }}
        barChartProps={{ accessibilityLayer: false }}
      />
    </div>
  );
}
