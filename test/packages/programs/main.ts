import { payGroup, type Task } from './pay-group.ts';

payGroup(JSON.parse(process.env['TASK'] ?? '{}') as Task).then(
  (result) => process.stdout.write(JSON.stringify(result)),
  (error: unknown) => {
    process.stderr.write(error instanceof Error ? (error.stack ?? error.message) : 'failed');
    process.exitCode = 1;
  },
);
