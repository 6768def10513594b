import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { defineConfig, readConfig } from '@gp/config';
import { certificateFor, eventually } from '@gp/testing';
import { listTelemetryFaults, telemetryConfig } from '../src/telemetry-config.ts';
import { endAll, get, readPort, start, type Child } from './child.ts';
import { secureOtlpReceiver } from './otlp-receiver.ts';

const AUTHORITY = 'OTEL_EXPORTER_OTLP_CERTIFICATE';
const KEY = 'OTEL_EXPORTER_OTLP_CLIENT_KEY';
const CERTIFICATE = 'OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE';

let folder: string;
const path = (name: string) => join(folder, name);
const put = async (files: Readonly<Record<string, string>>): Promise<void> => {
  for (const [name, content] of Object.entries(files)) await writeFile(path(name), content);
};

const [server, first, other] = [
  certificateFor('localhost'),
  certificateFor('first'),
  certificateFor('other'),
];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'group-payments-otlp-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('a service and a collector with TLS', () => {
  let collector: Awaited<ReturnType<typeof secureOtlpReceiver>>;
  const ca = [first.cert, other.cert];
  beforeAll(async () => {
    collector = await secureOtlpReceiver({ ...server, ca, requestCert: true, rejectUnauthorized: true });
  });
  afterEach(async () => {
    await endAll();
    collector.renew({ ...server, ca });
  });
  afterAll(() => collector.close());

  type Running = {
    readonly child: Child;
    ping(): Promise<number>;
    /** How many spans came to this end. */
    count(outcome: string): Promise<number>;
    waitForCount(outcome: string, spans: number): Promise<true>;
  };
  const run = async (env: Readonly<Record<string, string>>): Promise<Running> => {
    const child = start('traced', {
      METRICS_PORT: '0',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
      OTEL_TRACES_SAMPLER: 'always_on',
      OTEL_BSP_SCHEDULE_DELAY: '10',
      ...env,
    });
    const http = await readPort(child, 'listening for HTTP');
    const management = await readPort(child, 'started');
    const count = async (outcome: string) => {
      const sample = new RegExp(`^gp_trace_spans_total\\{outcome="${outcome}",.*\\} (\\d+)$`, 'm');
      return Number(sample.exec((await get(management, '/metrics')).text)?.[1]);
    };
    return {
      child,
      ping: async () => (await get(http, '/ping')).status,
      count,
      waitForCount: (outcome, spans) =>
        eventually(async () => ((await count(outcome)) === spans ? true : undefined)),
    };
  };

  it('the collector gets spans with the certificate of the process, and renewed files count without a restart (Q55)', async () => {
    await put({ 'ca.crt': server.cert, 'tls.key': first.key, 'tls.crt': first.cert });
    const { child, ping, count, waitForCount } = await run({
      [AUTHORITY]: path('ca.crt'),
      [KEY]: path('tls.key'),
      [CERTIFICATE]: path('tls.crt'),
    });
    await ping();
    await waitForCount('exported', 2);
    expect(collector.requests.at(-1)?.sender).toBe('first');

    await rm(path('tls.key'));
    collector.hangUp();
    await ping();
    const failed = await child.line(({ msg }) => msg === 'traces cannot be exported');
    expect(failed).toMatchObject({ level: 'warn', error: { code: 'ENOENT' } });
    expect(failed).not.toHaveProperty('trace_id');
    await waitForCount('lost', 2);

    const renewed = certificateFor('localhost');
    collector.renew({ ...renewed, ca });
    await put({ 'ca.crt': renewed.cert, 'tls.key': other.key, 'tls.crt': other.cert });
    await ping();
    await waitForCount('exported', 4);
    await child.line(({ msg }) => msg === 'traces are exported again');
    expect(collector.requests.at(-1)?.sender).toBe('other');
    await ping();
    await waitForCount('exported', 6);
    expect(child.lines.filter(({ msg }) => msg === 'traces are exported again')).toHaveLength(1);
    expect(await count('lost')).toBe(2);
  });

  type Pair = ReturnType<typeof certificateFor>;
  it.each<[string, { authority: Pair; own: Pair | undefined; timeout: string }]>([
    ['has a certificate of another authority', { authority: other, own: first, timeout: '10000' }],
    ['refuses a process that shows none', { authority: server, own: undefined, timeout: '500' }],
    ['does not know the certificate of the process', { authority: server, own: server, timeout: '500' }],
  ])(
    'a collector that %s gets nothing: spans are lost and counted, and the process goes on (Q55)',
    async (_title, o) => {
      const received = collector.requests.length;
      await put({ 'some-ca.crt': o.authority.cert });
      if (o.own) await put({ 'own.key': o.own.key, 'own.crt': o.own.cert });
      const { child, ping, count, waitForCount } = await run({
        [AUTHORITY]: path('some-ca.crt'),
        ...(o.own && { [KEY]: path('own.key'), [CERTIFICATE]: path('own.crt') }),
        OTEL_EXPORTER_OTLP_TIMEOUT: o.timeout,
      });
      expect(await ping()).toBe(200);
      const failed = await child.line(({ msg }) => msg === 'traces cannot be exported');
      if (o.authority === other)
        expect(failed).toMatchObject({ error: { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' } });
      expect(await ping()).toBe(200);
      await waitForCount('lost', 4);
      expect([await count('exported'), collector.requests.length]).toEqual([0, received]);
      expect(child.lines.filter(({ msg }) => msg === 'traces cannot be exported')).toHaveLength(1);
      child.signal('SIGTERM');
      expect(await child.ended).toMatchObject({ code: 0, stderr: '' });
    },
  );

  it('spans that have no room in the queue are dropped and counted while a collector is away (Q55)', async () => {
    const { ping, waitForCount } = await run({
      // Nothing listens there, and a refused connection is tried again for ten seconds.
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://localhost:1/v1/traces',
      OTEL_BSP_MAX_QUEUE_SIZE: '1',
      OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '1',
    });
    for (let request = 0; request < 3; request += 1) expect(await ping()).toBe(200);
    // One span is being sent, and one waits.
    await waitForCount('dropped', 4);
  });
});

describe('files for TLS that cannot be used', () => {
  const schema = defineConfig(telemetryConfig);
  const encrypted = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'secret' },
  }).privateKey;
  const cut = first.cert.replace(/[A-Za-z0-9+/]{40}/, '');
  const listFaults = (env: NodeJS.ProcessEnv) =>
    listTelemetryFaults(
      readConfig(schema, { OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector.example', ...env }),
    );

  it.each<[string, Record<string, string>, string[]]>([
    [
      'nothing wrong',
      { [AUTHORITY]: server.cert + other.cert, [KEY]: first.key, [CERTIFICATE]: first.cert },
      [],
    ],
    ['no certificate of an authority', { [AUTHORITY]: 'ca' }, [`${AUTHORITY} must hold certificates in PEM`]],
    [
      'a damaged certificate',
      { [AUTHORITY]: server.cert + cut },
      [`${AUTHORITY} must hold certificates in PEM`],
    ],
    [
      'a key and a certificate that are exchanged',
      { [KEY]: first.cert, [CERTIFICATE]: first.key },
      [
        `${CERTIFICATE} must hold certificates in PEM`,
        `${KEY} must hold a private key without a passphrase in PEM`,
      ],
    ],
    [
      'a key that asks for a passphrase',
      { [KEY]: encrypted, [CERTIFICATE]: first.cert },
      [`${KEY} must hold a private key without a passphrase in PEM`],
    ],
    ['a key alone', { [KEY]: first.key }, [`${KEY} needs ${CERTIFICATE}`]],
    ['a certificate alone', { [CERTIFICATE]: first.cert }, [`${CERTIFICATE} needs ${KEY}`]],
    [
      'the key of another certificate',
      { [KEY]: other.key, [CERTIFICATE]: first.cert },
      [`${KEY} must be the key of ${CERTIFICATE}`],
    ],
  ])(
    'files with %s have a sentence for each variable that is wrong (Q55)',
    async (_title, contents, faults) => {
      await put(contents);
      const env = Object.fromEntries(Object.keys(contents).map((variable) => [variable, path(variable)]));
      expect(listFaults(env)).toEqual(faults);
    },
  );

  it('a file that is missing, or is a folder, ends the start with the variable that counts (Q55)', async () => {
    const traces = 'OTEL_EXPORTER_OTLP_TRACES_CERTIFICATE';
    expect(listFaults({ [AUTHORITY]: path('missing') })).toEqual([`${AUTHORITY} cannot be read`]);
    expect(listFaults({ [AUTHORITY]: path('missing'), [traces]: folder })).toEqual([
      `${traces} cannot be read`,
    ]);
    const { ended } = start('traced', {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector.example',
      [AUTHORITY]: path('missing'),
    });
    expect(await ended).toMatchObject({
      code: 78,
      stderr: expect.stringContaining(`${AUTHORITY} cannot be read`),
    });
  });
});
