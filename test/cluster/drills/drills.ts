import { setTimeout as delay } from 'node:timers/promises';
import { RELEASE } from '../constants.ts';
import { kubectl } from '../control-plane.ts';
import { helm, release } from '../platform.ts';
import type { Alerts } from './alerts.ts';
import { fillDisk } from './fill-disk.ts';
import { installWithoutSecrets } from './install-without-secrets.ts';
import type { Done, Goal } from './goal.ts';
import { installPrevious, leavePrevious, upgradePrevious } from './previous.ts';
import { endStandby, losePrimary, startStandby } from './standby.ts';
import { findStreamLeader } from './streams.ts';
import { backUp, leaveRestored, restoreElsewhere } from './restore.ts';
import { installAutoscaler, removeAutoscaler, scaleDispatchers } from './scale-dispatchers.ts';
import { rotateIdentities, rotateKeys, rotatePasswords } from './rotate.ts';
import { cutNetwork, findOtherNode, loseNode } from './network.ts';
import { awaitReady, killContainers, listPods, listServers, namespaced, type Pod } from './cluster.ts';

export type Drill = {
  readonly name: string;
  /** What is done, as the table says it. */
  readonly does: string;
  readonly goal: Goal;
  /** Alerts that it raises; none where absent. */
  readonly alerts?: Alerts;
  /** Brings the cluster to where the drill begins, before the crowd comes. */
  prepare?(): void | Promise<void>;
  /** Does it; resolves when it is done and every pod is ready. */
  play(): Promise<Done | void>;
  /** Does what is done when the crowd has left. */
  afterwards?(): Promise<Done>;
  /** Brings the cluster back to where it was before `prepare`, whatever happened. */
  tidy?(): void | Promise<void>;
};

/** Nobody notices. */
const NOTHING: Goal = { failures: 0, stallMs: 1_000 };
/** Requests in flight in a process that dies are lost; others go on. */
const IN_FLIGHT: Goal = { failures: 20, stallMs: 1_000 };
/** No request fails; until another one leads, they wait. */
const ONE_OF_THREE: Goal = { failures: 0, stallMs: 10_000 };
/** A server of which there is one copy: until it is back, every request may be refused. */
const ONE_COPY: Goal = { failures: 1_000, stallMs: 10_000 };

/** For 20 s nobody can be served; the platform goes on at once afterwards. */
const WHILE_CUT: Goal = { failures: 1_000, stallMs: 25_000 };
/** Until Kubernetes takes a node for lost, requests go to its pods as well. */
const UNTIL_NOTICED: Goal = { failures: 400, stallMs: 10_000 };

/** Until somebody promotes the standby, and ten seconds more, every request may be refused. */
const UNTIL_PROMOTED: Goal = { failures: 1_000, stallMs: 25_000, afterMendedMs: 10_000 };

/** What refuses requests for some seconds is a large share of the few minutes that a drill's metrics have. */
const BURNS: Alerts = { should: [], may: ['GroupPaymentsBudgetBurnsFast'] };

const now = (): string => new Date().toISOString();
const upgrade = (): void => release('upgrade', { 'group-payments.example/drill': now() });

export const DRILLS: readonly Drill[] = [
  {
    name: 'install-without-secrets',
    does: 'An installation in another namespace lacks its secrets: Helm refuses at once and names them',
    goal: NOTHING,
    play: async () => installWithoutSecrets(),
  },
  {
    name: 'upgrade',
    does: '`helm upgrade` that replaces every pod of the platform',
    goal: NOTHING,
    play: async () => upgrade(),
  },
  {
    name: 'rollback',
    does: '`helm rollback` that replaces every pod of the platform',
    goal: NOTHING,
    prepare: upgrade,
    play: async () => void helm('rollback', RELEASE, '--wait', '--timeout', '10m'),
  },
  {
    name: 'upgrade-from-previous',
    does: 'An older release, with one NATS server, is upgraded to the present one',
    goal: ONE_COPY,
    alerts: BURNS,
    prepare: installPrevious,
    play: async () => upgradePrevious(),
    tidy: leavePrevious,
  },
  {
    name: 'delete-pods',
    does: 'Each pod is deleted, one after the other',
    goal: NOTHING,
    async play() {
      for (const pods of listPods().values())
        for (const { metadata } of pods) {
          kubectl(namespaced('delete', 'pod', metadata.name, '--wait=false'));
          await delay(1_000);
          awaitReady();
        }
    },
  },
  {
    name: 'kill-containers',
    does: 'SIGKILL of one container of each process',
    goal: IN_FLIGHT,
    async play() {
      for (const [first] of listPods().values()) {
        if (first) killContainers(first);
        await delay(2_000);
        awaitReady();
      }
    },
  },
  {
    name: 'drain',
    does: 'A node is drained of the platform, and comes back',
    goal: NOTHING,
    async play() {
      const node = findOtherNode().name;
      const ours = ['--pod-selector', 'app.kubernetes.io/part-of=group-payments'];
      const away = ['--ignore-daemonsets', '--delete-emptydir-data', '--timeout', '5m'];
      kubectl(['drain', node, ...ours, ...away]);
      // The NATS server of this node waits for its volume.
      awaitReady('deployments');
      kubectl(['uncordon', node]);
      awaitReady();
    },
  },
  {
    name: 'rotate-keys',
    does: 'All encryption keys and the pepper of API keys are rotated',
    goal: NOTHING,
    play: rotateKeys,
  },
  {
    name: 'rotate-passwords',
    does: "The passwords of the services' roles in Postgres are rotated",
    goal: NOTHING,
    play: async () => rotatePasswords(),
  },
  {
    name: 'rotate-identities',
    does: 'The identities of all processes on the bus are rotated, for which the three NATS servers restart twice, one after the other',
    goal: NOTHING,
    play: async () => rotateIdentities(),
  },
  {
    name: 'scale-dispatchers',
    does: 'KEDA and Prometheus scale the dispatchers by how full their pools are, from 1 to 4 and back, while endpoints turn slow and quick again',
    goal: NOTHING,
    prepare: installAutoscaler,
    play: scaleDispatchers,
    tidy: removeAutoscaler,
  },
  {
    name: 'kill-nats-leader',
    does: 'SIGKILL of the NATS server, of three, that leads the most streams',
    goal: ONE_OF_THREE,
    play: () => killServer(findStreamLeader()),
  },
  {
    name: 'kill-postgres',
    does: 'SIGKILL of the only Postgres server',
    goal: ONE_COPY,
    alerts: BURNS,
    play: () => killServer(listServers('postgres')[0]),
  },
  {
    name: 'postgres-standby',
    does: 'The Postgres primary and its disk are lost; after 5 s somebody promotes its synchronous standby',
    goal: UNTIL_PROMOTED,
    alerts: BURNS,
    prepare: startStandby,
    play: losePrimary,
    tidy: endStandby,
  },
  {
    name: 'fill-nats-disk',
    does: 'For a minute the disk of the NATS server, of three, that leads the most streams is full',
    goal: ONE_OF_THREE,
    play: () => fillDisk(findStreamLeader()),
  },
  {
    name: 'restore',
    does: 'Postgres is copied; the namespace is stopped later, and the copy restored in another one, with an empty NATS',
    goal: NOTHING,
    alerts: { should: [], may: ['GroupPaymentsServiceGone'] },
    play: async () => backUp(),
    afterwards: restoreElsewhere,
    tidy: leaveRestored,
  },
  {
    name: 'cut-network',
    does: 'For 20 s nothing passes between the ledger and NATS',
    goal: WHILE_CUT,
    alerts: BURNS,
    async play() {
      const ledgers = (listPods().get('group-ledger') ?? []).map(({ status }) => status.podIP).join(', ');
      const servers = listServers('nats').map(({ status }) => status.podIP);
      await cutNetwork(`{ ${ledgers} }`, `{ ${servers.join(', ')} }`, 20_000);
    },
  },
  {
    name: 'lose-node',
    does: 'For a minute a node has no network and no kubelet: nobody tells it, or the others, that it is lost',
    goal: UNTIL_NOTICED,
    alerts: BURNS,
    play: () => loseNode(findOtherNode()),
  },
];

async function killServer(server: Pod | undefined): Promise<void> {
  if (server) killContainers(server);
  await delay(2_000);
  awaitReady();
}
