import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createIdentity } from '@gp/bus';
import { kubectl } from '../control-plane.ts';
import { namespace } from '../namespace.ts';
import { here } from '../paths.ts';
import { release } from '../platform.ts';
import { inside } from '../space.ts';
import {
  awaitReady,
  findAddress,
  findSecret,
  fullName,
  listNames,
  listProcessPods,
  namespaced,
  patchSecret,
  type Values,
} from './cluster.ts';

const PEPPER = 'api-key-pepper';
const newKey = (): string => randomBytes(32).toString('base64');
/** Longer than the services need to seal their rows again. */
const SEALED_WITHIN_MS = 120_000;

/**
 * Rotates every key that a service seals with, and the pepper, as the README of the chart says: what is new opens first,
 * then seals, then the old one goes, but for the old pepper.
 */
export async function rotateKeys(): Promise<void> {
  const { name, data } = findSecret(PEPPER);
  const rotated = Object.keys(data)
    .filter((key) => key === PEPPER || key.startsWith('encryption-key-'))
    .map((key) => ({ key, previous: findPrevious(key), old: data[key] ?? '', fresh: newKey() }));
  const put = (changes: readonly (readonly [string, string | null])[]) => {
    patchSecret(name, Object.fromEntries(changes));
    restart();
  };
  put(rotated.map(({ previous, fresh }) => [previous, fresh]));
  put(rotated.flatMap(({ key, previous, old, fresh }) => [[key, fresh] as const, [previous, old] as const]));
  await awaitSealedAgain();
  // API keys that were made under the old pepper stay valid with it.
  put(rotated.filter(({ key }) => key !== PEPPER).map(({ previous }) => [previous, null]));
}

const findPrevious = (key: string): string =>
  key === PEPPER ? 'previous-api-key-peppers' : key.replace(/^encryption-key-/, 'previous-encryption-keys-');

/**
 * Rotates the password of each service's role, as the README of the chart says: every pod knows the new one before the
 * migrations of an upgrade set it.
 */
export function rotatePasswords(): void {
  const { name, data } = findSecret('group_ledger');
  const roles = Object.keys(data).filter((key) => !key.startsWith('next-'));
  const fresh = roles.map((role) => [role, randomBytes(24).toString('hex')] as const);
  patchSecret(name, Object.fromEntries(fresh.map(([role, password]) => [`next-${role}`, password])));
  release('upgrade');
  const none = roles.map((role) => [`next-${role}`, null] as const);
  patchSecret(name, Object.fromEntries([...fresh, ...none]));
  release('upgrade');
}

/**
 * Rotates what each process and person is on the bus, as the README of the chart says: the server admits the new identity,
 * then it is used, then the server refuses the old one. Throws when the old one is admitted afterwards.
 */
export function rotateIdentities(): void {
  const { name, data } = findSecret('api-gateway');
  const names = Object.keys(data).filter((key) => !key.startsWith('previous-'));
  const put = (seeds: Values) => {
    patchSecret(name, seeds);
    // Its first Job makes the public keys that the server reads.
    release('upgrade');
  };
  const newSeeds = (): Values => Object.fromEntries(names.map((one) => [one, createIdentity().seed]));
  const asPrevious = (seeds: Values): Values =>
    Object.fromEntries(names.map((one) => [`previous-${one}`, seeds[one] ?? '']));
  const fresh = newSeeds();
  put(asPrevious(fresh));
  restartServer('nats');
  put({ ...fresh, ...asPrevious(data) });
  put(asPrevious(newSeeds()));
  restartServer('nats');
  const answers = [data, fresh].map((seeds) => connectToBus(seeds['api-gateway'] ?? ''));
  if (answers.join() !== 'refused,admitted')
    throw new Error(`the bus answers the old and the new identity: ${answers.join(', ')}`);
}

/** Returns whether the NATS server of the release has `admitted` or `refused` the identity of a seed. */
function connectToBus(seed: string): string {
  const env = { ...process.env, NATS_URL: `nats://${findAddress('nats')}:4222`, NATS_NKEY_SEED: seed };
  return inside(process.execPath, ['--no-warnings', join(here, 'drills/connect-to-bus.ts')], { env }).trim();
}

function restartServer(name: string): void {
  kubectl(namespaced('rollout', 'restart', `statefulset/${fullName(name)}`));
  awaitReady();
}

function restart(): void {
  for (const name of listNames('deployments'))
    kubectl(namespaced('rollout', 'restart', `deployment/${name}`));
  awaitReady();
}

/** Waits until no process has a row that is sealed under a key that is to go. */
async function awaitSealedAgain(): Promise<void> {
  for (const giveUpAt = Date.now() + SEALED_WITHIN_MS; ; await delay(2_000)) {
    const left = listProcessPods().filter((pod) =>
      /^gp_sealed_rows\{[^}]*use="previous"[^}]*\} [1-9]/m.test(readMetrics(pod)),
    );
    if (left.length === 0) return;
    if (Date.now() > giveUpAt) throw new Error(`${left.join(', ')} did not seal again`);
  }
}

function readMetrics(pod: string): string {
  return kubectl(['get', '--raw', `/api/v1/namespaces/${namespace()}/pods/${pod}:9464/proxy/metrics`]);
}
