import { setTimeout as delay } from 'node:timers/promises';
import { findPods } from '../configuration.ts';
import { NODES, STILL_ZONE, type Node } from '../constants.ts';
import { startKubelet } from '../node.ts';
import { inside } from '../space.ts';
import { awaitReady } from './cluster.ts';

/** How long a node is away: longer than the controllers wait for it. */
const AWAY_MS = 60_000;

/** The node without the servers of which there is one copy; it has one NATS server of three. */
export function findOtherNode(): Node {
  const found = NODES.find(({ zone }) => zone !== STILL_ZONE);
  if (!found) throw new Error('every node is in the zone of the servers');
  return found;
}

/** Lets nothing pass between two sets of addresses for so long, then waits until every pod is ready. */
export async function cutNetwork(one: string, other: string, forMs: number): Promise<void> {
  const pair = [`ip saddr ${one} ip daddr ${other} drop`, `ip saddr ${other} ip daddr ${one} drop`];
  await whileDropping(pair, () => delay(forMs));
  awaitReady();
}

/** Takes a node's pods off the network and kills its kubelet, for a minute; its processes go on alone. */
export async function loseNode(node: Node): Promise<void> {
  const pods = findPods(node);
  await whileDropping([`ip saddr ${pods} drop`, `ip daddr ${pods} drop`], async () => {
    inside('pkill', ['--signal', 'KILL', '--full', `hostname-override ${node.name}`]);
    await delay(AWAY_MS);
  });
  startKubelet(node);
  await delay(5_000);
  awaitReady();
}

async function whileDropping(rules: readonly string[], act: () => Promise<unknown>): Promise<void> {
  const hooks = ['forward', 'output'].map((hook) =>
    [`chain ${hook} {`, `type filter hook ${hook} priority -10;`, ...rules, '}'].join('\n'),
  );
  inside('nft', ['-f', '-'], { input: `table ip drill {\n${hooks.join('\n')}\n}\n` });
  try {
    await act();
  } finally {
    inside('nft', ['delete', 'table', 'ip', 'drill']);
  }
}
