import { object, text, type Schema } from './values-fields.ts';
import { processes, type Known } from './processes.ts';

/** The name of a key; with a slash, that of another secret before it. */
const elsewhere = text('^([a-z0-9]([a-z0-9.-]*[a-z0-9])?/)?[-._a-zA-Z0-9]+$');
const here = text('^[-._a-zA-Z0-9]+$');

const named = (names: Iterable<string>, schema: Schema): Schema =>
  object(Object.fromEntries([...new Set(names)].map((name) => [name, schema])));

const toKey = (setting: string): string => setting.toLowerCase().replaceAll('_', '-');

/** The keys of keys.secret that a process reads. */
function listKeys([name, known]: [string, Known]): string[] {
  const { seals, keys = [], keysForSandbox = [], keysForMail = [], optionalKeys = [] } = known;
  const own = seals ? [`encryption-key-${name}`, `previous-encryption-keys-${name}`] : [];
  return [...own, ...[...keys, ...keysForSandbox, ...keysForMail, ...optionalKeys].map(toKey)];
}

const all = Object.entries(processes);

/**
 * Schemas of `keyNames` by the part of the values: every name that the chart uses for a key, so that a misspelt one is refused. The parts with one
 * secret for each purpose need no other secret.
 */
export const keyNames = {
  postgres: named(
    [...all.flatMap(([, { schema }]) => [schema, `next-${schema}`]), 'admin-url', 'ca.crt'],
    elsewhere,
  ),
  nats: named([...all.map(([name]) => name), 'installation', 'ca.crt'], elsewhere),
  keys: named(all.flatMap(listKeys), elsewhere),
  authority: named(['ca.crt'], here),
  telemetry: named(['otlp-headers', 'ca.crt', 'tls.crt', 'tls.key'], here),
  smokeTest: named(['test-key'], here),
};
