import {
  DashboardBuilder,
  DashboardCursorSync,
  DashboardLinkBuilder,
  DashboardLinkType,
  DatasourceVariableBuilder,
  MappingType,
  QueryVariableBuilder,
  RowBuilder,
  ThresholdsConfigBuilder,
  ThresholdsMode,
  VariableRefresh,
  VariableSort,
  type Dashboard,
  type RangeMap,
} from '@grafana/grafana-foundation-sdk/dashboard';
import {
  LegendDisplayMode,
  LegendPlacement,
  ReduceDataOptionsBuilder,
  SortOrder,
  TooltipDisplayMode,
  VizLegendOptionsBuilder,
  VizTooltipOptionsBuilder,
} from '@grafana/grafana-foundation-sdk/common';
import { DataqueryBuilder } from '@grafana/grafana-foundation-sdk/prometheus';
import { PanelBuilder as StatBuilder } from '@grafana/grafana-foundation-sdk/stat';
import { PanelBuilder as StatesBuilder } from '@grafana/grafana-foundation-sdk/statetimeline';
import { PanelBuilder as LinesBuilder } from '@grafana/grafana-foundation-sdk/timeseries';
import { repository } from '../repository.ts';
import type { Board, Panel } from './panel.ts';
import { linkToTraces, TRACES } from './traces.ts';

const source = { type: 'prometheus', uid: '${datasource}' };
const tag = 'group-payments';
const HEIGHTS = { number: 5, lines: 8, states: 8 } as const;
const REF_IDS = 'ABCDEFGH';

/** A board as Grafana reads it: rows of panels, the namespace and its own variables, links to the other boards. */
export function buildDashboard(board: Board): Dashboard {
  const dashboard = new DashboardBuilder(`Group Payments / ${board.title}`)
    .uid(`group-payments-${board.file}`)
    .description(board.about)
    .tags([tag])
    .timezone('browser')
    .refresh('30s')
    .time({ from: 'now-3h', to: 'now' })
    .tooltip(DashboardCursorSync.Crosshair)
    .readonly()
    .link(
      new DashboardLinkBuilder('Group Payments')
        .type(DashboardLinkType.Dashboards)
        .tags([tag])
        .asDropdown(true)
        .includeVars(true)
        .keepTime(true),
    )
    .withVariable(new DatasourceVariableBuilder('datasource').label('Data source').type('prometheus'))
    .withVariable(new DatasourceVariableBuilder(TRACES).label('Traces').type('tempo'))
    .withVariable(variable('namespace', 'namespace', 'process_start_time_seconds'));
  for (const [name, { label, of }] of Object.entries(board.variables ?? {}))
    dashboard.withVariable(variable(name, label, `${of}{namespace=~"$namespace"}`));
  let id = 0;
  for (const { title, panels } of board.rows) {
    dashboard.withRow(new RowBuilder(title).id(++id));
    for (const panel of panels) dashboard.withPanel(buildPanel(panel).id(++id));
  }
  return dashboard.build();
}

function variable(name: string, label: string, of: string): QueryVariableBuilder {
  return (
    new QueryVariableBuilder(name)
      .label(name)
      .query(`label_values(${of}, ${label})`)
      .datasource(source)
      .refresh(VariableRefresh.OnTimeRangeChanged)
      .sort(VariableSort.AlphabeticalAsc)
      .multi(true)
      .includeAll(true)
      // A Prometheus that knows no such label shows everything.
      .allValue('.*')
      .current({ selected: true, text: 'All', value: '$__all' })
  );
}

function buildPanel(panel: Panel): LinesBuilder | StatBuilder | StatesBuilder {
  const shown = panel.shown ?? 'lines';
  const built = { number: buildNumber, lines: buildLines, states: buildStates }[shown](panel);
  built
    .title(panel.title)
    .description(panel.about)
    .unit(panel.unit)
    .datasource(source)
    .height(HEIGHTS[shown])
    .span(panel.width ?? 8);
  panel.queries.forEach(([expr, legend], at) => {
    const query = new DataqueryBuilder()
      .refId(REF_IDS[at] ?? 'Z')
      .expr(expr)
      .legendFormat(legend)
      .range();
    built.withTarget(panel.spans === undefined ? query : query.exemplar(true));
  });
  if (panel.runbook)
    built.links([
      new DashboardLinkBuilder('What to do')
        .type(DashboardLinkType.Link)
        .url(`${repository}/${panel.runbook}`)
        .targetBlank(true),
    ]);
  return built;
}

function buildNumber({ bad }: Panel): StatBuilder {
  const steps = [
    { value: null, color: 'green' },
    ...(bad === undefined ? [] : [{ value: bad, color: 'red' }]),
  ];
  return new StatBuilder()
    .reduceOptions(new ReduceDataOptionsBuilder().calcs(['lastNotNull']))
    .thresholds(new ThresholdsConfigBuilder().mode(ThresholdsMode.Absolute).steps(steps));
}

function buildLines({ spans, countsUpTo }: Panel): LinesBuilder {
  const links = spans === undefined ? [] : [linkToTraces(spans)];
  const lines = new LinesBuilder()
    .dataLinks(links)
    .min(0)
    .fillOpacity(8)
    .legend(
      new VizLegendOptionsBuilder()
        .displayMode(LegendDisplayMode.List)
        .placement(LegendPlacement.Bottom)
        .showLegend(true),
    )
    .tooltip(new VizTooltipOptionsBuilder().mode(TooltipDisplayMode.Multi).sort(SortOrder.Descending));
  return countsUpTo === undefined ? lines : lines.mappings([describeEnd(countsUpTo)]);
}

/** Returns the words of a count that goes no further. */
function describeEnd(from: number): RangeMap {
  const result = { text: `${from.toLocaleString('en')} or more` };
  return { type: MappingType.RangeToText, options: { from, to: null, result } };
}

function buildStates({ words = {} }: Panel): StatesBuilder {
  return new StatesBuilder().mergeValues(true).mappings([{ type: MappingType.ValueToText, options: words }]);
}
