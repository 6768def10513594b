import { migrate } from '@gp/pg';
import { configurations } from './config.ts';
import { runTask } from './task.ts';
import { retryWhileAway } from './while-away.ts';

await runTask(configurations.migrate, async (config) => {
  const { adminDatabaseUrl, schema, rolePassword, directories, waitSeconds } = config;
  const { applied } = await retryWhileAway(waitSeconds, () =>
    migrate({
      url: adminDatabaseUrl,
      schema,
      role: schema,
      password: rolePassword,
      directories: directories.split(','),
    }),
  );
  return `${schema} is up to date${applied.length > 0 ? `, applied: ${applied.join(', ')}` : ''}`;
});
