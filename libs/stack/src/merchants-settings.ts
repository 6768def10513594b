import { buildDatabaseUrl } from './service-process.ts';
import { services } from './services.ts';
import type { Settings, Urls } from './settings.ts';

/** The program of the commands on merchants, with whose identity they act. */
const DASHBOARD = 'merchant-dashboard';

/** Returns the settings of the operators' commands on merchants for this stack, by their variables. */
export function buildMerchantsSettings({ secrets }: Settings, urls: Urls): Record<string, string> {
  const spec = services.find(({ name }) => name === DASHBOARD);
  if (!spec) throw new Error(`no service is named ${DASHBOARD}`);
  const seed = urls.natsSeeds[DASHBOARD];
  return {
    DATABASE_URL: buildDatabaseUrl(spec, urls, secrets),
    NATS_URL: urls.nats,
    ...(seed !== undefined && { NATS_NKEY_SEED: seed }),
    API_KEY_PEPPER: secrets.apiKeyPepper,
  };
}
