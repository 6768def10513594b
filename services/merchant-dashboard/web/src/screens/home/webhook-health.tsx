import { BarChart } from '@mantine/charts';
import { Text } from '@mantine/core';
import type { WebhookChart } from '../../../../src/http/api.ts';
import { formatDay } from '../../format/instant.ts';

const SERIES = [
  { name: 'acknowledged', label: 'Acknowledged', color: 'green.8' },
  { name: 'failed', label: 'Failed', color: 'red.8' },
];

/** Shows attempts by day, and the share of them that was acknowledged. */
export function WebhookHealth({ chart: { days } }: { chart: WebhookChart }) {
  const acknowledged = days.reduce((sum, day) => sum + day.acknowledged, 0);
  const all = days.reduce((sum, day) => sum + day.failed, acknowledged);
  if (all === 0)
    return (
      <Text c="dimmed" size="sm">
        Nothing was sent in the last 7 days.
      </Text>
    );
  // Rounded down, so that one failure among many does not show as 100 %.
  const share = `${Math.floor((acknowledged / all) * 1000) / 10} %`;
  const data = days.map(({ day, ...counts }) => ({ day: formatDay(day), ...counts }));
  return (
    <>
      <Text fz={22} fw={650}>
        {share}
      </Text>
      <Text size="sm" c="dimmed" mb="sm">
        of {all} attempts in 7 days acknowledged
      </Text>
      <div role="img" aria-label={`${acknowledged} of ${all} attempts of the last 7 days were acknowledged`}>
        <BarChart
          h={160}
          type="stacked"
          data={data}
          dataKey="day"
          series={SERIES}
          yAxisProps={{ interval: 0 }}
          barProps={{ isAnimationActive: false, maxBarSize: 28 }}
          barChartProps={{ accessibilityLayer: false }}
        />
      </div>
    </>
  );
}
