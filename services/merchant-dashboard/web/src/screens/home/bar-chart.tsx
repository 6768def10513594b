import { useId } from 'react';
import type { Bar, Chart, Column, Series } from './chart.ts';
import { ChartValues } from './chart-values.tsx';
import { listTicks, pickNamed } from './chart-scale.ts';

type Props = Chart & {
  readonly isStacked?: boolean;
  /** Heights are counts. */
  readonly isWhole?: boolean;
  readonly formatTick: (value: number) => string;
  readonly size: 'tall' | 'low';
};

/** Names below the columns that fit on a phone. */
const MOST_NAMES = 6;
const WIDTH = 10;
const GAP = 2;

/**
 * Bars over days. The picture stretches with the page and its words do not. A pointer over a column shows its values, and
 * everybody can open them as a table.
 */
export function BarChart({ isStacked = false, isWhole = false, formatTick, size, ...chart }: Props) {
  const { title, description, series, columns } = chart;
  const id = useId();
  const heights = columns.map(({ bars }) =>
    isStacked
      ? bars.reduce((sum, { height }) => sum + height, 0)
      : Math.max(...bars.map((bar) => bar.height)),
  );
  const ticks = listTicks(Math.max(0, ...heights), { isWhole });
  const scale = 100 / (ticks.at(-1) ?? 1);
  return (
    <figure className="chart">
      <div className="chart-area" data-size={size}>
        <div className="chart-ticks" aria-hidden>
          {ticks.map((value) => (
            <span key={value} style={{ bottom: `${value * scale}%` }}>
              {formatTick(value)}
            </span>
          ))}
        </div>
        <svg
          role="img"
          aria-labelledby={`${id}-title`}
          aria-describedby={`${id}-description`}
          viewBox={`0 0 ${columns.length * WIDTH} 100`}
          preserveAspectRatio="none"
        >
          <title id={`${id}-title`}>{title}</title>
          <desc id={`${id}-description`}>{description}</desc>
          {ticks.map((value) => (
            <line key={value} x2={columns.length * WIDTH} y1={100 - value * scale} y2={100 - value * scale} />
          ))}
          {columns.map((column, place) => (
            <g key={column.name} transform={`translate(${place * WIDTH} 0)`}>
              {drawBars(column.bars, { isStacked, scale }).map((box, index) => (
                <rect key={series[index]?.part} data-part={series[index]?.part} {...box} />
              ))}
              <rect className="chart-column" width={WIDTH} height={100}>
                <title>{formatColumn(column, series)}</title>
              </rect>
            </g>
          ))}
        </svg>
        <div className="chart-names" aria-hidden>
          {pickNamed(columns.length, MOST_NAMES).map((place) => (
            <span key={place} style={{ left: `${((place + 0.5) / columns.length) * 100}%` }}>
              {columns[place]?.name}
            </span>
          ))}
        </div>
      </div>
      <ChartValues {...chart} />
    </figure>
  );
}

/** Returns the boxes of a column's bars: beside one another, or each on top of the one before. */
function drawBars(bars: readonly Bar[], { isStacked, scale }: { isStacked: boolean; scale: number }) {
  const width = isStacked ? WIDTH - 2 * GAP : (WIDTH - GAP) / bars.length;
  let below = 0;
  return bars.map((bar, index) => {
    const height = bar.height * scale;
    const y = 100 - below - height;
    if (isStacked) below += height;
    return { x: isStacked ? GAP : GAP / 2 + index * width, y, width, height };
  });
}

const formatColumn = ({ name, bars }: Column, series: readonly Series[]): string =>
  [name, ...bars.map(({ text }, index) => `${series[index]?.name}: ${text}`)].join('\n');
