import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import {
  SpanKind,
  SpanStatusCode,
  InMemorySpanExporter,
  SimpleSpanProcessor,
  type ReadableSpan,
} from '@gp/bundled/opentelemetry';
import { AppError } from '@gp/errors';
import type { Fields } from './fields.ts';
import { parseTraceparent } from './traceparent.ts';
import {
  batchSpan,
  continueIn,
  currentTrace,
  currentTraceparent,
  linkTo,
  mark,
  span,
  stepSpan,
} from './tracing.ts';
import { startTelemetry, type SpanLimits, type Telemetry } from './telemetry.ts';

let exporter: InMemorySpanExporter;
let telemetry: Telemetry;

async function start(sampleRatio: number, limits?: SpanLimits): Promise<void> {
  exporter = new InMemorySpanExporter();
  telemetry = await startTelemetry({
    service: 'test',
    sampler: { name: 'parentbased_traceidratio', ratio: sampleRatio },
    limits,
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
const readSpanId = (one: ReadableSpan) => one.spanContext().spanId;
const readTraceId = (one: ReadableSpan) => one.spanContext().traceId;
const listLinkIds = (one: ReadableSpan) => one.links.map((link) => link.context.spanId);

const remote = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
const unsampled = `00-${'c'.repeat(32)}-${'d'.repeat(16)}-00`;

describe('a span', () => {
  it('a span is the child of the span in which it was started, across awaits', async () => {
    await span('parent', {}, async () => {
      await new Promise((resolve) => setImmediate(resolve));
      await span('child', {}, async () => undefined);
    });
    expect(recorded('child').parentSpanContext?.spanId).toBe(readSpanId(recorded('parent')));
    expect(readTraceId(recorded('child'))).toBe(readTraceId(recorded('parent')));
  });

  it('a span is the child of the given traceparent, whatever runs around it', async () => {
    await span('around', {}, () =>
      span('called', { kind: 'server', traceparent: remote }, async () => undefined),
    );
    expect(readTraceId(recorded('called'))).toBe('a'.repeat(32));
    expect(recorded('called').parentSpanContext).toMatchObject({ spanId: 'b'.repeat(16), isRemote: true });
    expect(recorded('called').kind).toBe(SpanKind.SERVER);
  });

  it('a span passes its own traceparent on, and the process it reaches continues the trace', async () => {
    const sent = await span('caller', { kind: 'client' }, async () => currentTraceparent());
    expect(sent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
    await span('callee', { traceparent: sent }, async () => undefined);
    expect(recorded('callee').parentSpanContext?.spanId).toBe(readSpanId(recorded('caller')));
  });

  it('a span starts a new trace at a root, even inside another', async () => {
    await span('around', {}, () => span('new', { root: true }, async () => undefined));
    expect(readTraceId(recorded('new'))).not.toBe(readTraceId(recorded('around')));
    expect(recorded('new').parentSpanContext).toBeUndefined();
  });

  it('a span is linked to its subject without becoming its child', async () => {
    await span(
      'retry',
      { root: true, links: [remote, undefined, 'nonsense', unsampled] },
      async () => undefined,
    );
    expect(recorded('retry').links.map((link) => link.context.traceId)).toEqual([
      'a'.repeat(32),
      'c'.repeat(32),
    ]);
    expect(readTraceId(recorded('retry'))).not.toBe('a'.repeat(32));
  });

  it('a span continues another trace, linked with the one around it both ways', async () => {
    await span('around', {}, () => span('there', { continues: remote }, async () => undefined));
    const [around, there] = [recorded('around'), recorded('there')];
    expect(readTraceId(there)).toBe('a'.repeat(32));
    expect(there.parentSpanContext?.spanId).toBe('b'.repeat(16));
    expect(listLinkIds(there)).toEqual([readSpanId(around)]);
    expect(listLinkIds(around)).toEqual([readSpanId(there)]);
  });

  it('a span that continues its own trace is an ordinary child', async () => {
    await span('around', {}, async () => {
      const begun = currentTraceparent();
      await span('between', {}, () => span('here', { continues: begun }, async () => undefined));
    });
    expect(recorded('here').parentSpanContext?.spanId).toBe(readSpanId(recorded('between')));
    expect([listLinkIds(recorded('here')), listLinkIds(recorded('between'))]).toEqual([[], []]);
  });

  it('a span can be linked to a subject found later', async () => {
    await span('work', {}, async () => {
      linkTo(remote);
      linkTo(null);
      linkTo(currentTraceparent());
    });
    expect(listLinkIds(recorded('work'))).toEqual(['b'.repeat(16)]);
  });

  it('a span records a failure by its code alone, and rethrows it', async () => {
    const failing = (error: Error) => span('failing', {}, () => Promise.reject(error));
    await expect(failing(new AppError('card_declined', { message: 'Anna' }))).rejects.toThrow('Anna');
    const { status, events, attributes } = recorded('failing');
    expect(status).toEqual({ code: SpanStatusCode.ERROR });
    expect({ events, attributes }).toEqual({ events: [], attributes: { 'error.type': 'card_declined' } });
  });

  it('a span keeps no attribute outside the list and no value that looks secret', async () => {
    const attributes = { group_id: 'g1', reason: 'ev:abc', card_number: 'x', email: 'y' } as Fields;
    await span('work', { attributes }, async (running) =>
      running.set({ outcome: 'ok', body: 'z' } as Fields),
    );
    expect(recorded('work').attributes).toEqual({
      'gp.group_id': 'g1',
      'gp.reason': '[masked]',
      'gp.outcome': 'ok',
    });
  });

  it('a span keeps as many attributes, characters of their texts and newest links as the limits allow (Q44)', async () => {
    await start(1, { attributes: 1, valueLength: 3, links: 1 });
    const attributes = { reason: 'abcdef', outcome: 'ok' };
    await span('cut', { attributes, links: [remote, unsampled] }, async () => undefined);
    expect(recorded('cut').attributes).toEqual({ 'gp.reason': 'abc' });
    expect(recorded('cut').links.map((link) => link.context.traceId)).toEqual(['c'.repeat(32)]);
  });
});

describe('a step', () => {
  const describeStep = jest.fn(() => ({ name: 'step', kind: 'client' as const, attributes: {} }));
  beforeEach(() => void describeStep.mockClear());

  it('a step of a recorded trace is a span below the current one, or below the given traceparent', async () => {
    await span('around', {}, () =>
      stepSpan(describeStep, {}, async (running) => running.set({ outcome: 'ok' })),
    );
    expect(recorded('step')).toMatchObject({ kind: SpanKind.CLIENT, attributes: { 'gp.outcome': 'ok' } });
    expect(recorded('step').parentSpanContext?.spanId).toBe(readSpanId(recorded('around')));
    exporter.reset();
    await stepSpan(describeStep, { traceparent: remote }, async () => undefined);
    expect(recorded('step').parentSpanContext?.spanId).toBe('b'.repeat(16));
  });

  it('a step of a trace that is not recorded is neither described nor a span, and passes its trace on', async () => {
    const passed = await stepSpan(describeStep, { traceparent: unsampled }, async (running) => {
      running.fail('nothing');
      return currentTraceparent();
    });
    const alone = await stepSpan(describeStep, {}, async () => currentTraceparent());
    expect([passed, alone]).toEqual([unsampled, undefined]);
    expect(describeStep).not.toHaveBeenCalled();
    expect(exporter.getFinishedSpans()).toEqual([]);
  });

  it('a failed step adds what its description reads from the failure', async () => {
    const describeFailure = () => ({ 'db.response.status_code': '23505' });
    const failing = stepSpan(
      () => ({ ...describeStep(), describeFailure }),
      { traceparent: remote },
      () => Promise.reject(Object.assign(new Error('no'), { code: '23505' })),
    );
    await expect(failing).rejects.toThrow('no');
    expect(recorded('step').attributes).toEqual({
      'db.response.status_code': '23505',
      'error.type': '23505',
    });
  });

  it('a step that takes too long is named by its time-out', async () => {
    const late = () => Promise.reject(new DOMException('late', 'TimeoutError'));
    await expect(stepSpan(describeStep, { traceparent: remote }, late)).rejects.toThrow('late');
    expect(recorded('step').attributes).toEqual({ 'error.type': 'TimeoutError' });
  });
});

describe('what one trace causes in another', () => {
  it('the effect of one trace in another is marked there once, and its header leads on from the mark', async () => {
    const header = await span('cause', {}, async () => continueIn('change', remote, { group_id: 'g1' }));
    const change = recorded('change');
    expect(parseTraceparent(header)).toMatchObject({ traceId: 'a'.repeat(32), spanId: readSpanId(change) });
    expect(change.parentSpanContext?.spanId).toBe('b'.repeat(16));
    expect(change.attributes).toEqual({ 'gp.group_id': 'g1' });
    expect(listLinkIds(change)).toEqual([readSpanId(recorded('cause'))]);
    expect(listLinkIds(recorded('cause'))).toEqual([readSpanId(change)]);
  });

  it('the effect of a trace needs no mark within one trace, without a cause, or without another trace', async () => {
    const [within, alone] = await span('cause', { traceparent: remote }, async () => [
      [continueIn('change', remote), currentTraceparent()],
      [continueIn('change', null), currentTraceparent()],
    ]);
    expect(within?.[0]).toBe(within?.[1]);
    expect(alone?.[0]).toBe(alone?.[1]);
    expect(continueIn('change', remote)).toBe(remote);
    expect(exporter.getFinishedSpans().map((one) => one.name)).toEqual(['cause']);
  });

  it('the effect of a trace may be a trace of its own, linked to its cause', async () => {
    const header = mark('fire', { root: true, links: [remote] });
    expect(parseTraceparent(header)?.spanId).toBe(readSpanId(recorded('fire')));
    expect(readTraceId(recorded('fire'))).not.toBe('a'.repeat(32));
    expect(listLinkIds(recorded('fire'))).toEqual(['b'.repeat(16)]);
  });
});

describe('sampling', () => {
  it('sampling records what is linked to a recorded trace, and nothing that is linked to others only', async () => {
    await telemetry.close();
    await start(0);
    await span('about both', { root: true, links: [unsampled, remote] }, async () => undefined);
    expect(exporter.getFinishedSpans().map((one) => one.name)).toEqual(['about both']);
    await telemetry.close();
    await start(1);
    await span('about nothing recorded', { root: true, links: [unsampled] }, async () => undefined);
    expect(exporter.getFinishedSpans()).toEqual([]);
  });

  it('sampling follows the caller, and the ratio only for new traces', async () => {
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

  it('sampling removes the recording, never the ids', async () => {
    const seen = await span('quiet', { traceparent: unsampled }, async () => currentTraceparent());
    expect(seen).toMatch(new RegExp(`^00-${'c'.repeat(32)}-(?!d{16})[0-9a-f]{16}-00$`));
  });

  it('a span has ids without any exporter', async () => {
    await telemetry.close();
    telemetry = await startTelemetry({
      service: 'test',
      sampler: { name: 'parentbased_traceidratio', ratio: 1 },
    });
    const trace = await span('bare', {}, async () => currentTrace());
    expect(trace).toEqual({
      trace_id: expect.stringMatching(/^[0-9a-f]{32}$/),
      span_id: expect.stringMatching(/^[0-9a-f]{16}$/),
    });
  });
});

describe('a batch', () => {
  it('a batch of one is an ordinary child of its caller', async () => {
    await batchSpan('create', { kind: 'server' }, [remote], async () => undefined);
    expect(exporter.getFinishedSpans()).toHaveLength(1);
    expect(recorded('create').parentSpanContext?.spanId).toBe('b'.repeat(16));
  });

  it('a batch of several is linked to all recorded callers, each of whom gets a child linked back', async () => {
    const other = remote.replaceAll('a', 'e');
    await batchSpan('create', { kind: 'server' }, [remote, unsampled, other], async () => undefined);
    const batch = recorded('create batch');
    const children = exporter.getFinishedSpans().filter((one) => one.name === 'create');
    expect(batch.links.map((link) => link.context.traceId)).toEqual(['a'.repeat(32), 'e'.repeat(32)]);
    expect(children.map(readTraceId)).toEqual(['a'.repeat(32), 'e'.repeat(32)]);
    expect(children.map((one) => one.links[0]?.context.spanId)).toEqual([
      readSpanId(batch),
      readSpanId(batch),
    ]);
  });

  it('a batch of callers that are not recorded leaves nothing', async () => {
    await batchSpan('create', {}, [unsampled, undefined], async () => undefined);
    expect(exporter.getFinishedSpans()).toEqual([]);
  });

  it('a batch that fails still ends its spans', async () => {
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
  ])('a traceparent that is %p counts as none', (traceparent) => {
    expect(parseTraceparent(traceparent)).toBeUndefined();
  });
});
