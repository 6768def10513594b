import { configurations } from './config.ts';
import { openMerchant } from './open-merchant.ts';
import { payOneGroup } from './pay-one-group.ts';
import { runTask } from './task.ts';

await runTask(configurations['demo-group'], async ({ apiUrl, dashboardUrl, sandboxUrl }) => {
  const { email, password, apiKey } = await openMerchant({ api: apiUrl, dashboard: dashboardUrl });
  const group = await payOneGroup({ api: apiUrl, sandbox: sandboxUrl, apiKey });
  return `group payment ${group} is paid; its merchant signs in as ${email} with ${password}`;
});
