import { configurations } from './config.ts';
import { openClusterSecrets } from './secrets/cluster-secrets.ts';
import { describeMade, makeMissingSecrets } from './secrets/make-missing.ts';
import { parsePlan } from './secrets/plan.ts';
import { runTask } from './task.ts';

await runTask(configurations['make-secrets'], async ({ plan, ...where }) =>
  describeMade(await makeMissingSecrets(openClusterSecrets(where), parsePlan(plan))),
);
