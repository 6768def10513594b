import { migrate } from '@gp/pg';
import { configurations } from './config.ts';
import { runTask } from './task.ts';

await runTask(configurations.migrate, async ({ adminDatabaseUrl, schema, rolePassword, directories }) => {
  const { applied } = await migrate({
    url: adminDatabaseUrl,
    schema,
    role: schema,
    password: rolePassword,
    directories: directories.split(','),
  });
  return `${schema} is up to date${applied.length > 0 ? `, applied: ${applied.join(', ')}` : ''}`;
});
