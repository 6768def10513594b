import { payGroup, type Task } from './pay-group.ts';

payGroup(JSON.parse(process.env['TASK'] ?? '{}') as Task).then(
  (result) => console.log(JSON.stringify(result)),
  (error: unknown) => {
    console.error(error);
    process.exitCode = 1;
  },
);
