import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { OwnStack } from '../support/own-stack.ts';

/** Starts the bus with an empty disk: everything that it had acknowledged and not delivered is lost. */
async function forgetMessages(own: OwnStack): Promise<void> {
  const nats = own.opened.processes.get('nats');
  if (!nats) throw new Error('no process nats');
  await nats.stop();
  await rm(join(own.dataDir, 'nats'), { recursive: true, force: true });
  await nats.start();
}

/** Empties the bus each time one of these files appears, until `work` is done. */
export async function forgettingAt(
  own: OwnStack,
  files: readonly string[],
  work: () => Promise<void>,
): Promise<void> {
  const over = new AbortController();
  const forgetting = forgetAtEach(own, files, over.signal);
  try {
    await work();
  } finally {
    over.abort();
  }
  await forgetting;
}

async function forgetAtEach(own: OwnStack, files: readonly string[], over: AbortSignal): Promise<void> {
  const left = new Set(files);
  for (; !over.aborted; await delay(20)) {
    for (const file of left) {
      if (!existsSync(file)) continue;
      left.delete(file);
      await forgetMessages(own);
    }
  }
}
