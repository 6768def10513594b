import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import { InMemorySpanExporter, SimpleSpanProcessor, type ReadableSpan } from '@opentelemetry/sdk-trace';
import { AppError } from '@gp/errors';
import type { Fields } from './fields.ts';
import { parseTraceparent } from './traceparent.ts';
import {
  batchSpan,
  currentTrace,
  currentTraceparent,
  span,
  startTelemetry,
  type Telemetry,
} from './tracing.ts';

let exporter: InMemorySpanExporter;
let telemetry: Telemetry;

async function start(sampleRatio: number): Promise<void> {
  exporter = new InMemorySpanExporter();
  telemetry = await startTelemetry({
    service: 'test',
    sampleRatio,
    spanProcessors: [new SimpleSpanProcessor({ exporter })],
  });
}

beforeEach(() => start(1));
afterEach(() => telemetry.close());

function recorded(name: string): ReadableSpan {
  const found = exporter.getFinishedSpans().find((candidate) => candidate.name === name);
  if (found === undefined) throw new Error(`no span ${name}`);
  return found;
}
const idOf = (one: ReadableSpan) => one.spanContext().spanId;
const traceOf = (one: ReadableSpan) => one.spanContext().traceId;

const remote = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
const unsampled = `00-${'c'.repeat(32)}-${'d'.repeat(16)}-00`;

describe('a span', () => {
  it('is the child of the span it was started in, across awaits', async () => {
    await span('parent', {}, async () => {
      await new Promise((resolve) => setImmediate(resolve));
      await span('child', {}, async () => undefined);
    });
    expect(recorded('child').parentSpanContext?.spanId).toBe(idOf(recorded('parent')));
    expect(traceOf(recorded('child'))).toBe(traceOf(recorded('parent')));
  });

  it('is the child of the traceparent it was given, whatever runs around it', async () => {
    await span('around', {}, () =>
      span('called', { kind: 'server', traceparent: remote }, async () => undefined),
    );
    expect(traceOf(recorded('called'))).toBe('a'.repeat(32));
    expect(recorded('called').parentSpanContext).toMatchObject({ spanId: 'b'.repeat(16), isRemote: true });
    expect(recorded('called').kind).toBe(SpanKind.SERVER);
  });

  it('hands its own traceparent on, and the process it reaches continues the trace', async () => {
    const sent = await span('caller', { kind: 'client' }, async () => currentTraceparent());
    expect(sent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
    await span('callee', { traceparent: sent }, async () => undefined);
    expect(recorded('callee').parentSpanContext?.spanId).toBe(idOf(recorded('caller')));
  });

  it('starts a new trace at a root, even inside another', async () => {
    await span('around', {}, () => span('new', { root: true }, async () => undefined));
    expect(traceOf(recorded('new'))).not.toBe(traceOf(recorded('around')));
    expect(recorded('new').parentSpanContext).toBeUndefined();
  });

  it('is linked to what it is about without becoming its child', async () => {
    await span(
      'retry',
      { root: true, links: [remote, undefined, 'nonsense', unsampled] },
      async () => undefined,
    );
    expect(recorded('retry').links.map((link) => link.context.traceId)).toEqual([
      'a'.repeat(32),
      'c'.repeat(32),
    ]);
    expect(traceOf(recorded('retry'))).not.toBe('a'.repeat(32));
  });

  it('tells of a failure by its code alone, and lets it pass', async () => {
    const failing = (error: Error) => span('failing', {}, () => Promise.reject(error));
    await expect(failing(new AppError('card_declined', { message: 'Anna' }))).rejects.toThrow('Anna');
    const { status, events, attributes } = recorded('failing');
    expect(status).toEqual({ code: SpanStatusCode.ERROR, message: 'card_declined' });
    expect({ events, attributes }).toEqual({ events: [], attributes: {} });
  });

  it('keeps no attribute outside the list and no value that looks secret', async () => {
    const attributes = { group_id: 'g1', reason: 'ev:abc', card_number: 'x', email: 'y' } as Fields;
    await span('work', { attributes }, async (running) =>
      running.set({ outcome: 'ok', body: 'z' } as Fields),
    );
    expect(recorded('work').attributes).toEqual({ group_id: 'g1', reason: '[masked]', outcome: 'ok' });
  });
});

describe('sampling', () => {
  it('follows the caller, and the ratio only for new traces', async () => {
    await telemetry.close();
    await start(0);
    await span('new', {}, async () => undefined);
    await span('asked for', { traceparent: remote }, async () => undefined);
    expect(exporter.getFinishedSpans().map((one) => one.name)).toEqual(['asked for']);
    await telemetry.close();
    await start(1);
    await span('not asked for', { traceparent: unsampled }, async () => undefined);
    expect(exporter.getFinishedSpans()).toEqual([]);
  });

  it('takes away the recording, never the ids', async () => {
    const seen = await span('quiet', { traceparent: unsampled }, async () => currentTraceparent());
    expect(seen).toMatch(new RegExp(`^00-${'c'.repeat(32)}-(?!d{16})[0-9a-f]{16}-00$`));
  });

  it('gives ids without any exporter at all', async () => {
    await telemetry.close();
    telemetry = await startTelemetry({ service: 'test', sampleRatio: 1 });
    const trace = await span('bare', {}, async () => currentTrace());
    expect(trace).toEqual({
      trace_id: expect.stringMatching(/^[0-9a-f]{32}$/),
      span_id: expect.stringMatching(/^[0-9a-f]{16}$/),
    });
  });
});

describe('a batch', () => {
  it('of one is an ordinary child of its caller', async () => {
    await batchSpan('create', { kind: 'server' }, [remote], async () => undefined);
    expect(exporter.getFinishedSpans()).toHaveLength(1);
    expect(recorded('create').parentSpanContext?.spanId).toBe('b'.repeat(16));
  });

  it('of several is linked to all, and every recorded caller gets a child linked back', async () => {
    const other = remote.replaceAll('a', 'e');
    await batchSpan('create', { kind: 'server' }, [remote, unsampled, other], async () => undefined);
    const batch = recorded('create batch');
    const children = exporter.getFinishedSpans().filter((one) => one.name === 'create');
    expect(batch.links).toHaveLength(3);
    expect(children.map(traceOf)).toEqual(['a'.repeat(32), 'e'.repeat(32)]);
    expect(children.map((one) => one.links[0]?.context.spanId)).toEqual([idOf(batch), idOf(batch)]);
  });

  it('that fails still ends its spans', async () => {
    const failing = batchSpan('create', {}, [remote, remote], () => Promise.reject(new AppError('conflict')));
    await expect(failing).rejects.toThrow(AppError);
    expect(exporter.getFinishedSpans()).toHaveLength(3);
  });
});

describe('a traceparent', () => {
  it.each([
    '',
    'nonsense',
    `00-${'0'.repeat(32)}-${'b'.repeat(16)}-01`,
    `00-${'a'.repeat(32)}-${'0'.repeat(16)}-01`,
    `01-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
    `00-${'A'.repeat(32)}-${'b'.repeat(16)}-01`,
    `${remote}-more`,
    undefined,
  ])('that is %p is as good as none', (traceparent) => {
    expect(parseTraceparent(traceparent)).toBeUndefined();
  });
});
