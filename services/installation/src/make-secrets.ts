import { configurations } from './config.ts';
import { openClusterSecrets } from './secrets/cluster-secrets.ts';
import { makeMissingSecrets } from './secrets/make-missing.ts';
import { parsePlan } from './secrets/plan.ts';
import { runTask } from './task.ts';

await runTask(configurations['make-secrets'], async ({ plan, ...where }) => {
  const { created, extended } = await makeMissingSecrets(openClusterSecrets(where), parsePlan(plan));
  const did = [
    ...(created.length > 0 ? [`made the secrets ${created.join(', ')}`] : []),
    ...(extended.length > 0 ? [`added keys to ${extended.join(', ')}`] : []),
  ];
  return did.length > 0 ? did.join('; ') : 'every secret was there with all its keys';
});
