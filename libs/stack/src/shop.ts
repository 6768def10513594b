import type { Ports } from './ports.ts';
import { requestJson } from './request-json.ts';
import type { DemoMerchant } from './seed.ts';
import type { Settings } from './settings.ts';
import type { ProcessSpec } from './supervisor.ts';

export const SHOP = 'sample-shop';

const local = (port: number) => `http://127.0.0.1:${port}`;

/** Returns the merchant that owns the shop: the one with every gateway. */
export function shopkeeper(merchants: readonly DemoMerchant[]): DemoMerchant {
  const merchant = merchants.find(({ gateway }) => gateway === 'multi');
  if (!merchant) throw new Error('no merchant for the sample shop');
  return merchant;
}

/**
 * Builds the start of the sample shop. It is no service of the platform: it has only its secret key and two public
 * addresses.
 */
export function shopProcess({ root, env, ports }: Settings, { test_key }: DemoMerchant): ProcessSpec {
  return {
    name: SHOP,
    command: process.execPath,
    args: ['--disable-warning=ExperimentalWarning', 'services/sample-shop/src/main.ts'],
    cwd: root,
    env: {
      PATH: env['PATH'],
      PORT: String(ports.shop),
      API_URL: local(ports.api),
      WIDGET_URL: `${local(ports.checkout)}/widget/v1.js`,
      SECRET_KEY: test_key,
    },
  };
}

/** Registers the shop's origin in the dashboard, as its owner would, beside the registered ones. */
export async function registerShop(ports: Ports, { email, password }: DemoMerchant): Promise<void> {
  const dashboard = `${local(ports.dashboard)}/api`;
  const { cookie } = await requestJson('POST', `${dashboard}/login`, { email, password });
  const { body } = await requestJson('GET', `${dashboard}/origins?mode=test`, undefined, { cookie });
  const known = body['origins'] as string[];
  const origin = local(ports.shop);
  if (known.includes(origin)) return;
  const registered = { mode: 'test', origins: [...known, origin] };
  await requestJson('PUT', `${dashboard}/origins`, registered, { cookie });
}
