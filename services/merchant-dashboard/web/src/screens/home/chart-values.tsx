import type { Chart } from './chart.ts';

/** The values of a chart as a table, which is opened where it is wanted; columns without any value are left out. */
export function ChartValues({ title, series, columns }: Chart) {
  const shown = columns.filter(({ bars }) => bars.some(({ height }) => height > 0));
  if (shown.length === 0) return null;
  return (
    <details className="chart-values">
      <summary>Show the values</summary>
      {/* It scrolls on narrow screens, by keyboard too. */}
      <div tabIndex={0} role="group" aria-label={`Values of ${title}`}>
        <table>
          <thead>
            <tr>
              <th scope="col">Day</th>
              {series.map(({ part, name }) => (
                <th key={part} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map(({ name, bars }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                {bars.map(({ text }, index) => (
                  <td key={series[index]?.part}>{text}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
