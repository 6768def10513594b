/** The layer of a source file by its path in the repository, or of a part of Node by its name; the first that fits counts. */
const LAYERS: readonly (readonly [RegExp, string])[] = [
  [/^node:(_http|http|internal\/http)/, 'Node: HTTP'],
  [/^node:(internal\/)?crypto/, 'Node: cryptography'],
  [
    /^node:(_stream|stream|net|dns|tls|_tls|internal\/(streams?|net|tls|dns|js_stream))/,
    'Node: network and streams',
  ],
  [/^node:/, 'Node: timers, events, buffers and others'],
  [/^services\/.+\/src\/domain\//, 'our domain'],
  [/^services\//, 'our services'],
  [/^libs\/bundled\/dist\/express/, 'Express'],
  [/^libs\/bundled\/dist\/(ajv|typebox)/, 'schemas (ajv, typebox)'],
  [/^libs\/bundled\/dist\/nats/, 'NATS client'],
  [/^libs\/bundled\/dist\/opentelemetry|^node_modules\/@opentelemetry\//, 'OpenTelemetry'],
  [/^libs\/bundled\/dist\/prom-client/, 'Prometheus client'],
  [/^libs\/bundled\/dist\/undici/, 'undici'],
  [/^libs\/bundled\//, 'other packages'],
  [/^libs\/http\//, 'our HTTP library'],
  [/^libs\/bus\//, 'our bus library'],
  [/^libs\/pg\//, 'our Postgres library'],
  [/^libs\/outbox\//, 'our outbox library'],
  [/^libs\/telemetry\//, 'our telemetry library'],
  [/^libs\/gateway\//, 'our gateway library'],
  [/^libs\//, 'our other libraries'],
  [/^node_modules\/pg[a-z-]*\//, 'Postgres driver'],
  [
    /^node_modules\/(pino|sonic-boom|thread-stream|safe-stable-stringify|quick-format-unescaped)/,
    'logger (pino)',
  ],
];

/** Returns the layer of code, a phrase for a table. */
export function findLayer(place: string): string {
  return LAYERS.find(([pattern]) => pattern.test(place))?.[1] ?? 'other packages';
}
