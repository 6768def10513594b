import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, testNats, type OwnServer } from '@gp/testing';
import { endAll, get, readPort, start, type Child, type Line } from './child.ts';
import { otlpReceiver, type ReceivedSpan } from './otlp-receiver.ts';

/** What a collector of others asks for. */
const TOKEN = 'c0llector-t0ken';

let nats: OwnServer;
let collector: Awaited<ReturnType<typeof otlpReceiver>>;
let front: Child;
let back: Child;
let http: number;
let management: number;

beforeAll(async () => {
  [nats, collector] = await Promise.all([testNats(), otlpReceiver()]);
  const env = {
    DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
    NATS_URL: nats.url,
    METRICS_PORT: '0',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
    OTEL_EXPORTER_OTLP_HEADERS: `authorization=Bearer%20${TOKEN}`,
    OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=staging,team=p%C3%A1y',
    OTEL_TRACES_SAMPLER: 'parentbased_always_on',
    OTEL_LOGS_EXPORTER: 'otlp',
    // The delivery of a message is logged at debug level.
    LOG_LEVEL: 'debug',
  };
  back = start('back', env);
  management = await readPort(back, 'started');
  front = start('front', env);
  http = await readPort(front, 'listening for HTTP');
  // There is no database here; the calls to the services go over the bus.
  for (const port of [management, await readPort(front, 'started')])
    await eventually(async () => !(await get(port, '/readyz')).text.includes('nats') || undefined);
});
afterAll(async () => {
  await endAll();
  await Promise.all([nats.stop(), collector.close()]);
});

/** Waits until the spans of a service with this name have arrived. */
const received = (service: string, name: string, count = 1): Promise<ReceivedSpan[]> =>
  eventually(() => {
    const found = collector.spans.filter((span) => span.service === service && span.name === name);
    return found.length >= count ? found : undefined;
  });
const story = (line: Line) => line.trace_id;

describe('one trace', () => {
  it('one trace leads from a request through the bus into the other service, in spans and in log lines', async () => {
    expect((await get(http, '/ask/7')).status).toBe(200);
    const [request] = await received('front', 'GET /ask/:id');
    const [calling] = await received('front', 'rpc.probe.things.ask.v1');
    const [handling] = await received('back', 'rpc.probe.things.ask.v1');
    expect(calling).toMatchObject({ traceId: request?.traceId, parentSpanId: request?.spanId });
    expect(handling).toMatchObject({ traceId: request?.traceId, parentSpanId: calling?.spanId });

    const access = await front.line((line) => line.route === '/ask/:id');
    const answered = await back.line((line) => line.msg === 'answered probe things ask');
    expect(back.lines.filter((line) => story(line) === story(access)).map((line) => line.msg)).toEqual([
      'asked',
      'answered probe things ask',
    ]);
    expect(answered).toMatchObject({ outcome: 'ok', subject: 'rpc.probe.things.ask.v1' });
  });

  it('one trace leads through a stream', async () => {
    await get(http, '/emit/e1');
    const [request] = await received('front', 'GET /emit/:id');
    const [sending] = await received('front', 'send evt.ledger.thing.happened.v1');
    const [handling] = await received('back', 'process evt.ledger.thing.happened.v1');
    expect(sending).toMatchObject({ traceId: request?.traceId, parentSpanId: request?.spanId });
    expect(handling).toMatchObject({ traceId: request?.traceId, parentSpanId: sending?.spanId });
    const line = await back.line(({ message_id }) => message_id === 'e1');
    expect(line).toMatchObject({
      msg: 'handled ledger thing happened',
      outcome: 'ok',
      trace_id: request?.traceId,
    });
  });

  it('a trace is kept in a batch: linked to the batch, with a line for every command', async () => {
    await get(http, '/create/5');
    const [request] = await received('front', 'GET /create/:count');
    const [batch] = await received('back', 'rpc.probe.things.create.v1 batch');
    expect(batch?.traceId).not.toBe(request?.traceId);
    expect(batch?.links?.every((link) => link.traceId === request?.traceId)).toBe(true);
    await eventually(() => {
      const lines = back.lines.filter(({ msg }) => msg === 'answered probe things create');
      return lines.length === 5 && lines.every((line) => story(line) === request?.traceId) ? true : undefined;
    });
    const children = await received('back', 'rpc.probe.things.create.v1', 5);
    expect(children.every((child) => child.traceId === request?.traceId)).toBe(true);
  });

  it('a trace cannot be joined by a stranger', async () => {
    const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
    await get(http, '/nowhere', { traceparent });
    const [request] = await received('front', 'GET');
    expect(request?.traceId).not.toBe('a'.repeat(32));
    expect(request?.parentSpanId ?? '').toBe('');
  });
});

describe('an export', () => {
  it('exported spans name the service, its release, the instance and what the operator has set (Q44)', async () => {
    await get(http, '/ask/8');
    const [asked] = await received('front', 'GET /ask/:id');
    const [answered] = await received('back', 'rpc.probe.things.ask.v1');
    expect(asked?.resource).toEqual({
      'service.name': 'front',
      'service.namespace': 'group-payments',
      'service.version': expect.stringMatching(/^\d+\.\d+\.\d+$/),
      'service.instance.id': expect.stringMatching(/^[0-9a-f-]{36}$/),
      'deployment.environment.name': 'staging',
      'telemetry.sdk.language': 'nodejs',
      'telemetry.sdk.name': 'opentelemetry',
      'telemetry.sdk.version': expect.stringMatching(/^\d+\.\d+\.\d+$/),
      team: 'páy',
    });
    expect(answered?.resource['service.instance.id']).not.toBe(asked?.resource['service.instance.id']);
  });

  it('an export is compressed protobuf with the headers that are set, whose values are in no log line (Q44)', async () => {
    await get(http, '/ask/9');
    await received('front', 'GET /ask/:id');
    const { path, headers } = collector.requests[0] ?? {};
    expect(path).toBe('/v1/traces');
    expect(headers).toMatchObject({
      authorization: `Bearer ${TOKEN}`,
      'content-type': 'application/x-protobuf',
      'content-encoding': 'gzip',
    });
    expect(JSON.stringify([...front.lines, ...back.lines])).not.toContain(TOKEN);
  });

  it('the log names variables of OpenTelemetry that have no effect (Q44)', async () => {
    const line = await front.line(
      ({ msg }) => msg === 'variables of OpenTelemetry are set that have no effect',
    );
    expect(line).toMatchObject({ level: 'warn', variables: ['OTEL_LOGS_EXPORTER'] });
  });

  it('exported spans have the attributes of the conventions, with numbers as numbers (Q43)', async () => {
    await get(http, '/ask/unknown');
    const refused = await eventually(() =>
      collector.spans.find(
        ({ name, attributes }) => name === 'GET /ask/:id' && attributes['http.response.status_code'] === 404,
      ),
    );
    expect(refused).toMatchObject({
      kind: 2,
      statusCode: 0,
      attributes: {
        'http.request.method': 'GET',
        'http.route': '/ask/:id',
        'url.path': '/ask/REDACTED',
        'url.scheme': 'http',
        'server.address': '127.0.0.1',
        'server.port': http,
      },
    });
  });
});

describe('a handler', () => {
  it('a handler’s refusal is a reply with its code; its failure is an error without its message', async () => {
    expect((await get(http, '/ask/unknown')).status).toBe(404);
    expect((await get(http, '/ask/broken')).status).toBe(500);
    const refused = await back.line((line) => line.outcome === 'not_found');
    const failed = await back.line((line) => line.outcome === 'Error');
    expect(refused).toMatchObject({ level: 'info', msg: 'answered probe things ask' });
    expect(failed).toMatchObject({ level: 'error', error: { at: expect.stringContaining('back.ts') } });
    expect(JSON.stringify(back.lines)).not.toContain('Anna');
  });

  it('a handler is counted by subject and outcome, whatever id the subject ends with', async () => {
    await get(http, '/emit/e2');
    await back.line(({ message_id }) => message_id === 'e2');
    const page = (await get(management, '/metrics')).text;
    const count = (subject: string, way: string, outcome: string) =>
      new RegExp(
        `gp_bus_messages_total\\{subject="${subject}",way="${way}",outcome="${outcome}",service="back"\\} \\d`,
      );
    expect(page).toMatch(count('evt.ledger.thing.happened.v1', 'stream', 'ok'));
    expect(page).toMatch(count('rpc.probe.things.ask.v1', 'rpc', 'not_found'));
    expect(page).toMatch(count('rpc.probe.things.create.v1', 'batch', 'ok'));
    expect(page).not.toMatch(/happened\.v1\.e/);
    // The lag and the redeliveries of a consumer are 0 from the start.
    const lag = /gp_bus_consumer_lag_messages\{durable="back",service="back"\} \d/;
    await eventually(async () => lag.test((await get(management, '/metrics')).text) || undefined);
    expect(page).toContain('gp_bus_redeliveries_total{durable="back",service="back"} 0');
  });

  it('a message that breaks its contract never reaches the handler, and its death is logged and counted', async () => {
    await get(http, '/emit/bad');
    const line = await back.line((one) => one.msg === 'gave a message up, dead letter kept');
    expect(line).toMatchObject({ level: 'error', message_id: 'bad', durable: 'back' });
    await front.line((one) => one.route === '/emit/:id' && story(one) === story(line));
    expect((await get(management, '/metrics')).text).toContain(
      'gp_bus_dead_letters_total{durable="back",service="back"} 1',
    );
  });
});
