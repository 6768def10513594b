import { setTimeout as delay } from 'node:timers/promises';
import { NODES, RELEASE, STILL_ZONE } from '../constants.ts';
import { kubectl } from '../control-plane.ts';
import { helm, release } from '../platform.ts';
import { inside } from '../space.ts';
import { installWithoutSecrets } from './install-without-secrets.ts';
import { rotateKeys, rotatePasswords } from './rotate.ts';
import { awaitReady, findServer, killContainers, listPods, namespaced } from './cluster.ts';

/** What a drill may cost: failed requests at most, and the longest time without a success, ms. */
export type Goal = { readonly failures: number; readonly stallMs: number };

export type Drill = {
  readonly name: string;
  /** What is done, as the table says it. */
  readonly does: string;
  readonly goal: Goal;
  /** Brings the cluster to where the drill begins, before the crowd comes. */
  prepare?(): void;
  /** Does it; resolves when it is done and every pod is ready. */
  play(): Promise<void>;
};

/** Nobody notices. */
const NOTHING: Goal = { failures: 0, stallMs: 1_000 };
/** Requests in flight in a process that dies are lost; others go on. */
const IN_FLIGHT: Goal = { failures: 20, stallMs: 1_000 };
/** A server of which there is one copy: until it is back, every request may be refused. */
const ONE_COPY: Goal = { failures: 1_000, stallMs: 10_000 };

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
      const node = NODES.find(({ zone }) => zone !== STILL_ZONE)?.name ?? '';
      const ours = ['--pod-selector', 'app.kubernetes.io/part-of=group-payments'];
      const away = ['--ignore-daemonsets', '--delete-emptydir-data', '--timeout', '5m'];
      kubectl(['drain', node, ...ours, ...away]);
      awaitReady();
      kubectl(['uncordon', node]);
      await delay(5_000);
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
    name: 'kill-nats',
    does: 'SIGKILL of the only NATS server',
    goal: ONE_COPY,
    play: () => killServer('nats'),
  },
  {
    name: 'kill-postgres',
    does: 'SIGKILL of the only Postgres server',
    goal: ONE_COPY,
    play: () => killServer('postgres'),
  },
  {
    name: 'cut-network',
    does: 'For 20 s nothing passes between the ledger and NATS',
    goal: ONE_COPY,
    async play() {
      const ledgers = (listPods().get('group-ledger') ?? []).map(({ status }) => status.podIP).join(', ');
      const nats = findServer('nats').status.podIP;
      const pair = [
        `ip saddr { ${ledgers} } ip daddr ${nats} drop`,
        `ip saddr ${nats} ip daddr { ${ledgers} } drop`,
      ];
      const chain = ['chain cut {', 'type filter hook forward priority -10;', ...pair, '}'].join('\n');
      inside('nft', ['-f', '-'], { input: `table ip drill {\n${chain}\n}\n` });
      try {
        await delay(20_000);
      } finally {
        inside('nft', ['delete', 'table', 'ip', 'drill']);
      }
      awaitReady();
    },
  },
];

async function killServer(name: string): Promise<void> {
  killContainers(findServer(name));
  await delay(2_000);
  awaitReady();
}
