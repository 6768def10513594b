import { configurations } from './config.ts';
import { openFolderSecrets } from './secrets/folder-secrets.ts';
import { describeMade, makeMissingSecrets } from './secrets/make-missing.ts';
import { parsePlan } from './secrets/plan.ts';
import { runTask } from './task.ts';

await runTask(configurations['make-secret-files'], async ({ plan, folder }) =>
  describeMade(await makeMissingSecrets(openFolderSecrets(folder), parsePlan(plan))),
);
