import { openBus } from '@gp/bus';
import { configurations } from './config.ts';
import { runTask } from './task.ts';

await runTask(configurations.streams, async ({ natsUrl, streamReplicas }) => {
  const bus = await openBus({ servers: natsUrl, name: 'installation' });
  try {
    await bus.ensureStreams({ replicas: streamReplicas });
    // Slow creation continues in the background; the task succeeds only when the streams exist.
    await bus.published();
  } finally {
    await bus.close();
  }
  return `the streams stand, with ${streamReplicas} of each message`;
});
