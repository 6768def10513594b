import { openBus } from '@gp/bus';
import { configurations } from './config.ts';
import { runTask } from './task.ts';

await runTask(configurations.streams, async ({ natsUrl, streamReplicas }) => {
  const bus = await openBus({ servers: natsUrl, name: 'installation' });
  try {
    await bus.ensureStreams({ replicas: streamReplicas });
    // Creating goes on behind our back when it takes long; only what stands counts as done.
    await bus.published();
  } finally {
    await bus.close();
  }
  return `the streams stand, with ${streamReplicas} of each message`;
});
