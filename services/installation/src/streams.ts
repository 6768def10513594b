import { openBus } from '@gp/bus';
import { busOptions } from '@gp/service';
import { access } from './bus/access.ts';
import { configurations } from './config.ts';
import { runTask } from './task.ts';

await runTask(configurations.streams, async ({ streamReplicas, ...config }) => {
  const bus = await openBus({ ...busOptions(config), access, name: 'installation' });
  try {
    await bus.ensureStreams({ replicas: streamReplicas });
    // Slow creation continues in the background; the task succeeds only when the streams exist.
    await bus.published();
  } finally {
    await bus.close();
  }
  return `the streams stand, with ${streamReplicas} of each message`;
});
