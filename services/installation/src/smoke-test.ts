import { configurations } from './config.ts';
import { openMerchant } from './open-merchant.ts';
import { payOneGroup } from './pay-one-group.ts';
import { runTask } from './task.ts';

const PATIENCE_MS = 10_000;

await runTask(configurations['smoke-test'], async ({ services, signUp, ...given }) => {
  const addresses = new Map(services.split(',').map((pair) => pair.split('=') as [string, string]));
  await Promise.all([...addresses].map(([name, address]) => assertAnswers(name, address)));
  const locate = (name: string): string => {
    const address = addresses.get(name);
    if (address === undefined) throw new Error(`no address of ${name}`);
    return address;
  };
  const openAccount = async () =>
    (await openMerchant({ api: locate('api-gateway'), dashboard: locate('merchant-dashboard') })).apiKey;
  const apiKey = given.apiKey ?? (signUp ? await openAccount() : undefined);
  if (apiKey === undefined) return `${addresses.size} services answer; without a test key no group was paid`;
  const where = { api: locate('api-gateway'), sandbox: locate('psp-sandbox') };
  const group = await payOneGroup({ ...where, apiKey });
  return `${addresses.size} services answer, and group payment ${group} is paid`;
});

/** Accepts any response but a server error: a service without a page at its root returns 404. */
async function assertAnswers(name: string, address: string): Promise<void> {
  const response = await fetch(address, {
    redirect: 'manual',
    signal: AbortSignal.timeout(PATIENCE_MS),
  }).catch((cause: unknown) => {
    throw new Error(`${name} does not answer at ${address}`, { cause });
  });
  await response.body?.cancel();
  if (response.status >= 500) throw new Error(`${name} answers ${response.status} at ${address}`);
}
