import { Group, Text } from '@mantine/core';
import type { WebhookChart } from '../../../../src/http/api.ts';
import { formatDay } from '../../format/instant.ts';
import { BarChart } from './bar-chart.tsx';
import type { Series } from './chart.ts';

const SERIES = [
  { part: 'acknowledged', name: 'Acknowledged' },
  { part: 'failed', name: 'Failed' },
] as const satisfies readonly Series[];

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
  return (
    <>
      <Text fz={22} fw={650}>
        {share}
      </Text>
      <Text size="sm" c="dimmed" mb="sm">
        of {all} attempts in 7 days acknowledged
      </Text>
      <Group gap="md" mb="xs" fz="sm" aria-hidden>
        {SERIES.map(({ part, name }) => (
          <span key={part}>
            <span className="legend" data-part={part} />
            {name}
          </span>
        ))}
      </Group>
      <BarChart
        title="Attempts by day"
        description={`${acknowledged} of ${all} attempts of the last 7 days were acknowledged.`}
        series={SERIES}
        columns={days.map((day) => ({
          name: formatDay(day.day),
          bars: SERIES.map(({ part }) => ({ height: day[part], text: String(day[part]) })),
        }))}
        isStacked
        isWhole
        formatTick={String}
        size="low"
      />
    </>
  );
}
