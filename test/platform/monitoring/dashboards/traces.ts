import { DashboardLinkBuilder, DashboardLinkType } from '@grafana/grafana-foundation-sdk/dashboard';

/** The variable of each board that chooses the data source of traces. */
export const TRACES = 'traces';
const source = `\${${TRACES}}`;

/** Links a point of a latency to the traces of its spans that took at least as long as it says, in the dashboard's time. */
export function linkToTraces(spans: string): DashboardLinkBuilder {
  const query = {
    refId: 'A',
    datasource: { type: 'tempo', uid: source },
    queryType: 'traceql',
    query: `{ ${spans} && duration >= \${__value.raw}s }`,
  };
  const pane = { datasource: source, queries: [query], range: { from: '${__from}', to: '${__to}' } };
  return new DashboardLinkBuilder('Traces that took this long')
    .type(DashboardLinkType.Link)
    .url(`/explore?schemaVersion=1&panes=${encodeAround(JSON.stringify({ traces: pane }))}`)
    .targetBlank(true);
}

/** Encodes a text for an address, except the variables in it, which Grafana replaces before the address is read. */
function encodeAround(text: string): string {
  return text
    .split(/(\$\{[^}]+\})/)
    .map((part, at) => (at % 2 === 1 ? part : encodeURIComponent(part)))
    .join('');
}
