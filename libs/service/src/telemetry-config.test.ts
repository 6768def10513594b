import { inspect } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { ConfigError, defineConfig, readConfig } from '@gp/config';
import {
  listTelemetryFaults,
  listUnusedVariables,
  telemetryConfig,
  toTelemetrySettings,
} from './telemetry-config.ts';

const schema = defineConfig(telemetryConfig);
const read = (env: NodeJS.ProcessEnv) => toTelemetrySettings('checkout', readConfig(schema, env));
const listFaults = (env: NodeJS.ProcessEnv): readonly string[] => {
  try {
    return listTelemetryFaults(readConfig(schema, env));
  } catch (error) {
    return error instanceof ConfigError ? error.faults : [String(error)];
  }
};
const collector = { OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector.example:4318/' };

describe('the variables of OpenTelemetry', () => {
  it('without variables nothing is exported, and 5 % of new traces would be', () => {
    expect(read({})).toEqual({
      service: 'checkout',
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      resourceAttributes: undefined,
      sampler: { name: 'parentbased_traceidratio', ratio: 0.05 },
      limits: { attributes: 128, valueLength: undefined, links: 128 },
      otlp: undefined,
    });
  });

  it('an endpoint alone means protobuf, the standard times and batches of a second', () => {
    expect(read(collector).otlp).toEqual({
      url: 'https://collector.example:4318/v1/traces',
      protocol: 'http/protobuf',
      headers: {},
      tls: undefined,
      timeoutMs: 10_000,
      compression: 'none',
      batch: { delayMs: 1_000, timeoutMs: 30_000, maxQueue: 2_048, maxBatch: 512 },
    });
  });

  it('a variable for traces counts more than the one for all signals (Q44)', () => {
    const env = {
      ...collector,
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://traces.example/otlp',
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20a,x-tenant=1',
      OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'x-tenant=2',
      OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/json',
      OTEL_EXPORTER_OTLP_TIMEOUT: '5',
      OTEL_EXPORTER_OTLP_TRACES_TIMEOUT: '7',
      OTEL_EXPORTER_OTLP_TRACES_COMPRESSION: 'gzip',
      OTEL_BSP_SCHEDULE_DELAY: '10',
      OTEL_EXPORTER_OTLP_CERTIFICATE: '/all/ca.crt',
      OTEL_EXPORTER_OTLP_TRACES_CERTIFICATE: '/traces/ca.crt',
      OTEL_EXPORTER_OTLP_CLIENT_KEY: '/all/tls.key',
      OTEL_EXPORTER_OTLP_TRACES_CLIENT_KEY: '/traces/tls.key',
      OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE: '/all/tls.crt',
      OTEL_EXPORTER_OTLP_TRACES_CLIENT_CERTIFICATE: '/traces/tls.crt',
    };
    expect(read(env).otlp).toMatchObject({
      url: 'http://traces.example/otlp',
      protocol: 'http/json',
      headers: { authorization: 'Bearer a', 'x-tenant': '2' },
      tls: { authority: '/traces/ca.crt', key: '/traces/tls.key', certificate: '/traces/tls.crt' },
      timeoutMs: 7,
      compression: 'gzip',
      batch: { delayMs: 10 },
    });
  });

  it.each([
    [{}, 'checkout'],
    [{ OTEL_RESOURCE_ATTRIBUTES: 'service.name=pages,team=pay' }, 'pages'],
    [{ OTEL_RESOURCE_ATTRIBUTES: 'service.name=pages', OTEL_SERVICE_NAME: 'front' }, 'front'],
  ])('with %j the service is called %s', (env, name) => {
    expect(read(env).service).toBe(name);
  });

  it.each([
    [{ OTEL_TRACES_SAMPLER: 'always_on' }, { name: 'always_on', ratio: 1 }],
    [
      { OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.25' },
      { name: 'traceidratio', ratio: 0.25 },
    ],
    [{ OTEL_TRACES_SAMPLER_ARG: '0.25' }, { name: 'parentbased_traceidratio', ratio: 0.05 }],
  ])('with %j the sampler is %j', (env, sampler) => {
    expect(read(env).sampler).toEqual(sampler);
  });

  it.each([{ OTEL_SDK_DISABLED: 'true' }, { OTEL_TRACES_EXPORTER: 'none' }])(
    'with %j nothing is exported, whatever else is set, and no file is read (Q44)',
    (off) => {
      const env = { ...collector, OTEL_EXPORTER_OTLP_CERTIFICATE: '/does/not/exist', ...off };
      expect([read(env).otlp, listFaults(env)]).toEqual([undefined, []]);
    },
  );

  it('the exporter otlp needs no address: traces go to the collector on this machine (Q44)', () => {
    const env = { OTEL_TRACES_EXPORTER: 'otlp' };
    expect(read(env).otlp?.url).toBe('http://localhost:4318/v1/traces');
    expect(read({ ...env, ...collector }).otlp?.url).toBe('https://collector.example:4318/v1/traces');
  });

  it('limits of spans count more than those of everything that has attributes (Q44)', () => {
    const general = { OTEL_ATTRIBUTE_COUNT_LIMIT: '7', OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT: '70' };
    const own = { OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT: '0', OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT: '80' };
    expect(read({ ...general, OTEL_SPAN_LINK_COUNT_LIMIT: '3' }).limits).toEqual({
      attributes: 7,
      valueLength: 70,
      links: 3,
    });
    expect(read({ ...general, ...own }).limits).toMatchObject({ attributes: 0, valueLength: 80 });
  });

  it('variables of the standard that have no effect are found, so that the log can name them (Q44)', () => {
    const unused = { OTEL_METRICS_EXPORTER: 'otlp', OTEL_LOG_LEVEL: 'debug' };
    const others = { OTEL_TRACES_EXPORTER: 'otlp', OTEL_LOGS_EXPORTER: '', LOG_LEVEL: 'warn' };
    expect(listUnusedVariables({ ...unused, ...others })).toEqual(Object.keys(unused).toSorted());
  });
});

describe('a wrong variable', () => {
  it.each([
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc', 'must be one of http/protobuf, http/json'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4317', 'must be an address of http: or https:'],
    ['OTEL_EXPORTER_OTLP_COMPRESSION', 'zstd', 'must be one of none, gzip'],
    ['OTEL_EXPORTER_OTLP_TIMEOUT', '10s', 'must be an integer from 1 to 600000'],
    ['OTEL_TRACES_SAMPLER', 'jaeger_remote', 'must be one of always_on, always_off, traceidratio'],
    ['OTEL_TRACES_SAMPLER_ARG', '2', 'must be a number from 0 to 1'],
    ['OTEL_BSP_MAX_QUEUE_SIZE', '0', 'must be an integer from 1 to 1000000'],
    ['OTEL_SDK_DISABLED', 'yes', 'must be true or false'],
    ['OTEL_TRACES_EXPORTER', 'console', 'must be one of otlp, none'],
    ['OTEL_SPAN_LINK_COUNT_LIMIT', '-1', 'must be an integer from 0 to 10000'],
    ['OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT', '0', 'must be an integer from 1 to 1000000'],
    ['OTEL_PROPAGATORS', 'b3', 'must match'],
    ['OTEL_RESOURCE_ATTRIBUTES', 'production', 'must be pairs name=value'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'authorization=a%0Ax-other: b', 'must be pairs name=value'],
  ])('a wrong %s ends the start with its name and what is allowed (Q44)', (name, value, rule) => {
    const [fault, ...others] = listFaults({ [name]: value });
    expect(fault).toContain(`${name} ${rule}`);
    expect(others).toEqual([]);
  });

  it('a batch that is larger than the queue is refused', () => {
    expect(listFaults({ OTEL_BSP_MAX_QUEUE_SIZE: '100' })).toEqual([
      'OTEL_BSP_MAX_EXPORT_BATCH_SIZE must be at most OTEL_BSP_MAX_QUEUE_SIZE',
    ]);
  });

  it.each(['CERTIFICATE', 'TRACES_CLIENT_KEY', 'CLIENT_CERTIFICATE'])(
    'a file for TLS beside an address without TLS ends the start: OTEL_EXPORTER_OTLP_%s (Q55)',
    (part) => {
      const name = `OTEL_EXPORTER_OTLP_${part}`;
      const env = { ...collector, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://traces.example/otlp' };
      expect(listFaults({ ...env, [name]: process.execPath })).toEqual([
        `${name} needs a collector with an https:// address`,
      ]);
      expect(listFaults({ [name]: process.execPath })).toEqual([]);
    },
  );

  it('values of headers are never printed', () => {
    const config = readConfig(schema, { OTEL_EXPORTER_OTLP_HEADERS: 'authorization=s3cr3t' });
    expect(config.otelExporterOtlpHeaders).toEqual({ authorization: 's3cr3t' });
    expect(JSON.stringify(config) + inspect(config)).not.toContain('s3cr3t');
  });
});
