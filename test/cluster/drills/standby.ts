import { randomBytes } from 'node:crypto';
import { appendFileSync, chownSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { kubectl, until } from '../control-plane.ts';
import { namespace } from '../namespace.ts';
import { findVolume, nameVolume, offerVolume } from '../volumes.ts';
import { awaitReady, fullName, killContainers, listServers, namespaced } from './cluster.ts';
import { copyPostgres, DATA } from './copy-postgres.ts';
import type { Done } from './goal.ts';
import { findOtherNode } from './network.ts';
import { askPostgres } from './postgres.ts';
import { renderStandby, renderStandbyPolicy, type StatefulSet } from './standby-objects.ts';

const PRIMARY = 'postgres';
const STANDBY = 'postgres-standby';
/** The file whose presence makes a server a standby. */
const SIGNAL = 'standby.signal';
/** How long it takes until somebody acts, ms. */
const UNNOTICED_MS = 5_000;

const server = (name: string): string => `${fullName(name)}-0`;
const folderOf = (name: string): string => join(findVolume(`${name}-0`), DATA);

/** Starts a standby on the other node from a copy of the running primary; every commit waits for it from then on. */
export async function startStandby(): Promise<void> {
  const password = randomBytes(24).toString('hex');
  askPostgres(`drop role if exists standby; create role standby replication login password '${password}'`);
  appendFileSync(join(folderOf(PRIMARY), 'pg_hba.conf'), 'host replication standby all scram-sha-256\n');
  askPostgres('select pg_reload_conf()');
  offerVolume(`${STANDBY}-0`, findOtherNode().zone);
  copyPostgres(folderOf(PRIMARY), folderOf(STANDBY));
  followPrimary(password);
  const set = kubectl(namespaced('get', 'statefulset', fullName(PRIMARY), '--output', 'json'));
  for (const object of [
    renderStandby(JSON.parse(set) as StatefulSet, fullName(STANDBY), findOtherNode().zone),
    renderStandbyPolicy(namespace(), fullName(STANDBY)),
  ])
    kubectl(['apply', '--filename', '-'], JSON.stringify(object));
  serveBy(PRIMARY);
  awaitReady('statefulsets');
  askPostgres("alter system set synchronous_standby_names = 'standby'");
  askPostgres('select pg_reload_conf()');
  await until('the standby is synchronous', () => {
    const [found] = askPostgres<{ sync_state: string }>('select sync_state from pg_stat_replication');
    if (found?.sync_state !== 'sync') throw new Error(`the standby is ${found?.sync_state ?? 'away'}`);
  });
}

/** What makes the copy a standby of the server that the Service names. */
function followPrimary(password: string): void {
  const { uid, gid } = statSync(folderOf(PRIMARY));
  const signal = join(folderOf(STANDBY), SIGNAL);
  writeFileSync(signal, '');
  chownSync(signal, uid, gid);
  const primary = `host=${fullName(PRIMARY)} user=standby password=${password} application_name=standby`;
  appendFileSync(join(folderOf(STANDBY), 'postgresql.auto.conf'), `primary_conninfo = '${primary}'\n`);
}

/**
 * The primary and its disk are gone at once. After some seconds a person acts: makes sure that the old primary stays down, promotes the
 * standby, and lets the Service name it.
 */
export async function losePrimary(): Promise<Done> {
  const [primary] = listServers(PRIMARY).filter(({ metadata }) => metadata.name === server(PRIMARY));
  if (primary === undefined) throw new Error('there is no primary');
  const lost = `${folderOf(PRIMARY)}.lost`;
  renameSync(folderOf(PRIMARY), lost);
  // A server that starts again finds no folder to make a database in.
  writeFileSync(folderOf(PRIMARY), '');
  killContainers(primary);
  rmSync(lost, { recursive: true });
  await delay(UNNOTICED_MS);
  scale(PRIMARY, 0);
  promote();
  serveBy(STANDBY);
  const mendedAt = Date.now();
  awaitReady();
  return { mendedAt };
}

function promote(): void {
  const command = `LD_LIBRARY_PATH=/usr/local/postgres/lib /usr/local/postgres/bin/pg_ctl promote -w -D /var/lib/postgresql/${DATA}`;
  kubectl([...namespaced('exec', server(STANDBY)), '--', 'sh', '-c', command]);
}

/** Lets the Service of Postgres name the pod of this server alone. */
function serveBy(name: string): void {
  const selector = { 'statefulset.kubernetes.io/pod-name': server(name) };
  patchService({ selector });
}

const patchService = (spec: object): void =>
  void kubectl(
    namespaced('patch', 'service', fullName(PRIMARY), '--type', 'merge', '--patch', JSON.stringify({ spec })),
  );

const scale = (name: string, replicas: number): void =>
  void kubectl(namespaced('scale', `statefulset/${fullName(name)}`, '--replicas', String(replicas)));

/** Brings the server of the release back, with the data that the standby has now, and takes the standby away. */
export async function endStandby(): Promise<void> {
  kubectl(namespaced('delete', 'statefulset,networkpolicy', fullName(STANDBY), '--ignore-not-found'));
  scale(PRIMARY, 0);
  await until('no Postgres runs', () => {
    if (listServers(PRIMARY).length > 0) throw new Error('a Postgres is there still');
  });
  const isLost = statSync(folderOf(PRIMARY)).isFile();
  if (isLost) {
    rmSync(folderOf(PRIMARY));
    renameSync(folderOf(STANDBY), folderOf(PRIMARY));
    // It is there where nobody got to promote the standby.
    rmSync(join(folderOf(PRIMARY), SIGNAL), { force: true });
  }
  kubectl(namespaced('delete', 'pvc', `data-${server(STANDBY)}`, '--ignore-not-found'));
  kubectl(['delete', 'pv', nameVolume(`${STANDBY}-0`), '--ignore-not-found']);
  rmSync(findVolume(`${STANDBY}-0`), { recursive: true, force: true });
  patchService({ selector: { 'statefulset.kubernetes.io/pod-name': null } });
  scale(PRIMARY, 1);
  awaitReady();
  askPostgres('alter system reset all');
  askPostgres('drop role if exists standby');
  kubectl(namespaced('rollout', 'restart', `statefulset/${fullName(PRIMARY)}`));
  awaitReady();
}
