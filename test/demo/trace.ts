import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { ReceivedSpan } from '@gp/stack';
import { drawTrace, traceGraph, withoutSteps } from '../support/trace-graph.ts';
import { dataDir } from './story-log.ts';

/** Services send their spans once a second. */
const ARRIVES_WITHIN_MS = 5_000;

/** Where a stack with `GP_TRACES=1` keeps its spans, one a line. */
export const spansFile = () => join(dataDir(), 'spans.jsonl');

/** A trace as a tree, once all of it has arrived; undefined where the stack does not keep this trace. */
export async function drawnTrace(traceId: string): Promise<string[] | undefined> {
  for (const giveUpAt = Date.now() + ARRIVES_WITHIN_MS; ; await delay(200)) {
    const spans = await readSpans();
    const graph = traceGraph(spans);
    const isWhole = graph.root(traceId) !== undefined && graph.orphans().length === 0;
    if (isWhole || Date.now() > giveUpAt)
      return graph.root(traceId) === undefined
        ? undefined
        : drawTrace(traceGraph(withoutSteps(spans)), traceId);
  }
}

async function readSpans(): Promise<ReceivedSpan[]> {
  const text = await readFile(spansFile(), 'utf8').catch(() => '');
  const lines = text.slice(0, text.lastIndexOf('\n') + 1).split('\n');
  return lines.flatMap((line) => (line === '' ? [] : [JSON.parse(line) as ReceivedSpan]));
}
