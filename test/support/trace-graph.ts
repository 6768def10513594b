import type { ReceivedSpan } from '@gp/stack';

/** Spans as traces, and how traces are linked. */
export function traceGraph(spans: readonly ReceivedSpan[]) {
  const traces = Map.groupBy(spans, ({ traceId }) => traceId);
  const known = new Map(spans.map((span) => [buildKey(span), span]));
  const findParent = ({ traceId, parentSpanId }: ReceivedSpan) =>
    parentSpanId ? known.get(buildKey({ traceId, spanId: parentSpanId })) : undefined;
  const neighbours = new Map<string, Set<string>>();
  const join = (from: string, to: string) =>
    void neighbours.set(from, (neighbours.get(from) ?? new Set()).add(to));
  for (const { traceId, links = [] } of spans)
    for (const link of links)
      if (link.traceId !== traceId) {
        join(traceId, link.traceId);
        join(link.traceId, traceId);
      }
  return {
    /** The spans of one trace in the order in which they began. */
    trace: (traceId: string) => (traces.get(traceId) ?? []).toSorted(byStart),
    root: (traceId: string) => traces.get(traceId)?.find((span) => !span.parentSpanId),
    /** From the root of its trace down to a span. */
    path(span: ReceivedSpan): ReceivedSpan[] {
      const path = [span];
      for (let above = findParent(span); above; above = findParent(above)) path.unshift(above);
      return path;
    },
    /** Spans whose parent was never sent. */
    orphans: () => spans.filter((span) => span.parentSpanId && !findParent(span)),
    /** Links that lead to a span that was never sent. */
    dangling: () => spans.flatMap(({ links = [] }) => links.filter((link) => !known.has(buildKey(link)))),
    /** Traces that have a link to this one, or it to them. */
    linkedWith: (traceId: string): readonly string[] => [...(neighbours.get(traceId) ?? [])],
  };
}
export type TraceGraph = ReturnType<typeof traceGraph>;

/** Numbers of client and producer in OTLP. */
const STEPS: readonly number[] = [3, 4];

/**
 * Leaves out the steps of each piece of work, such as statements, requests and sent messages; what they caused becomes a
 * child of the work itself.
 */
export function withoutSteps(spans: readonly ReceivedSpan[]): ReceivedSpan[] {
  const steps = new Map(
    spans.filter(({ kind }) => STEPS.includes(kind)).map((step) => [buildKey(step), step]),
  );
  const lift = ({ traceId, parentSpanId = '' }: ReceivedSpan): string => {
    const step = steps.get(buildKey({ traceId, spanId: parentSpanId }));
    return step === undefined ? parentSpanId : lift(step);
  };
  return spans
    .filter(({ kind }) => !STEPS.includes(kind))
    .map((span) => ({ ...span, parentSpanId: lift(span) }));
}

const buildKey = ({ traceId, spanId }: { traceId: string; spanId: string }) => `${traceId} ${spanId}`;

/** Milliseconds since 1970; a double holds them to the microsecond. */
const toMs = (nanoseconds: string) => Number(nanoseconds) / 1e6;
const byStart = (a: ReceivedSpan, b: ReceivedSpan) =>
  toMs(a.startTimeUnixNano) - toMs(b.startTimeUnixNano) || toMs(b.endTimeUnixNano) - toMs(a.endTimeUnixNano);

/**
 * Draws one trace as a tree: when each span began and how long it took, its name below its parent's, its service; at the
 * end the spans it is linked with.
 */
export function drawTrace(graph: TraceGraph, traceId: string): string[] {
  const spans = graph.trace(traceId);
  const beganMs = toMs(spans[0]?.startTimeUnixNano ?? '0');
  const children = Map.groupBy(spans, ({ parentSpanId }) => parentSpanId ?? '');
  const branch = (parentId: string, depth: number): string[] =>
    (children.get(parentId) ?? []).flatMap((span) => [
      row(span, beganMs, `${'  '.repeat(depth)}${span.name}`),
      ...branch(span.spanId, depth + 1),
    ]);
  const linked = graph.linkedWith(traceId).flatMap((other) => graph.root(other) ?? []);
  return [
    ...branch('', 0),
    ...linked.toSorted(byStart).map((root) => row(root, beganMs, `⇢ ${root.name} ${readAttempt(root)}`)),
  ];
}

function row(span: ReceivedSpan, beganMs: number, label: string): string {
  const start = toMs(span.startTimeUnixNano);
  const [at, took] = [start - beganMs, toMs(span.endTimeUnixNano) - start].map((ms) =>
    `${ms.toFixed(1)} ms`.padStart(11),
  );
  return `${at} ${took}  ${label.padEnd(56)} ${span.service}`;
}

const readAttempt = ({ attributes }: ReceivedSpan): string => {
  const outcome = attributes.find(({ key }) => key === 'gp.outcome')?.value['stringValue'];
  return typeof outcome === 'string' ? `(${outcome})` : '';
};
