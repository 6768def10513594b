import { setTimeout as delay } from 'node:timers/promises';
import { kubectl } from '../control-plane.ts';
import { inside } from '../space.ts';
import { findVolume } from '../volumes.ts';
import { awaitReady, fullName, namespaced, type Pod } from './cluster.ts';
import type { Done } from './goal.ts';
import { describeLate, listReplicas } from './streams.ts';

/** How long the disk stays full, ms. */
const FULL_MS = 60_000;
/** How long a server may take to have all streams again, ms. */
const CAUGHT_UP_WITHIN_MS = 60_000;

/** Fills the disk of a NATS server with a file beside its store for a minute, then removes it, and waits until the server has every stream again. */
export async function fillDisk(server: Pod): Promise<Done> {
  const { name } = server.metadata;
  const folder = findVolume(name.replace(fullName(''), ''));
  const filler = `${folder}/filler`;
  // Writes until there is no space, which is an error.
  inside('sh', ['-c', 'dd if=/dev/zero of="$1" bs=1M 2>/dev/null; test -s "$1"', 'sh', filler]);
  try {
    await delay(FULL_MS);
  } finally {
    inside('rm', ['-f', filler]);
  }
  // A stream that could not be written stays so until its server starts again, and the readiness of the pod does not say so.
  kubectl(namespaced('delete', 'pod', name));
  awaitReady();
  return { faults: await awaitCaughtUp(name) };
}

/** Returns a sentence for each stream and consumer of which a server is still behind. */
async function awaitCaughtUp(server: string): Promise<readonly string[]> {
  for (const giveUpAt = Date.now() + CAUGHT_UP_WITHIN_MS; ; await delay(1_000)) {
    const late = describeLate(listReplicas(), server);
    if (late.length === 0 || Date.now() > giveUpAt) return late;
  }
}
