import { openBus } from '@gp/bus';
import { busOptions } from '@gp/service';
import { access } from './bus/access.ts';
import { configurations } from './config.ts';
import { runTask } from './task.ts';
import { retryWhileAway } from './while-away.ts';

await runTask(configurations.streams, async ({ streamReplicas, waitSeconds, ...config }) => {
  const bus = await openBus({ ...busOptions(config), access, name: 'installation' });
  try {
    await bus.ensureStreams({ replicas: streamReplicas });
    // Slow creation continues in the background; the task succeeds only when the streams exist.
    await retryWhileAway(waitSeconds, () => bus.published());
  } finally {
    await bus.close();
  }
  return `the streams stand, with ${streamReplicas} of each message`;
});
