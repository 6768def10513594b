import { resolve } from 'node:path';
import { groupChanged, type FoundGroup, type Mode } from '@gp/contracts';
import { forEachGateway } from '@gp/gateway-registry';
import { createHttpApp, listen } from '@gp/http';
import { upsertSettings } from '@gp/outbox';
import type { OrganiserReminders } from '../../src/app/mails/organiser-reminders.ts';
import { createMinter } from '../../src/app/mint-session.ts';
import { openPages } from '../../src/app/pages.ts';
import { buildOrganiserCalls } from '../../src/bus/organiser-calls.ts';
import { findActiveGateway, upsertActiveGateway } from '../../src/db/active-gateways.ts';
import { findBrand } from '../../src/db/brands.ts';
import type { AddressBook } from '../../src/domain/gateway-parts.ts';
import { openWeb } from '../../src/open-web.ts';
import { found, openCheckout } from './checkout.ts';

export const home = 'http://pay.test';
export const api = 'http://api.test';
export const pageToken = found.group.page_token;
const dist = resolve(import.meta.dirname, '../../web/dist');

/** Gateways at addresses of their own, so that a policy shows which of them it lets in. */
export const addresses: AddressBook = {
  test: {
    ...forEachGateway(() => ({ bank: 'http://further.test' })),
    gateway_a: { script: 'http://a.test/js', origins: ['http://a-api.test'] },
    gateway_b: { frame: 'http://b.test/field', script: 'http://b.test/unused.js', origins: [] },
    gateway_c: { bank: 'http://bank.test/sis' },
  },
  live: {
    ...forEachGateway(() => ({ bank: 'https://further.live' })),
    gateway_a: { script: 'https://a.live/js', origins: ['https://a-api.live', 'https://*.a.live'] },
    gateway_b: { frame: null, script: 'https://b.live/v2', origins: ['https://keys.b.live'] },
    gateway_c: { bank: 'https://bank.live' },
  },
};

export type WebOptions = {
  perToken?: number;
  perGroup?: number;
  most?: number;
  perAddress?: number;
  mints?: number;
  heartbeatMs?: number;
  reminders?: OrganiserReminders;
};

/** Checkout's pages over HTTP, as main.ts serves them, with responders in place of the other services. */
export async function openCheckoutWeb(o: WebOptions = {}) {
  const checkout = await openCheckout({ waitMs: 1_000 });
  const { db, bus, ledger, parts, others } = checkout;
  let revision = 0;
  const owner = { merchant_id: 'm1', mode: 'test' as Mode };
  const register = (
    origins: string[],
    changed: Partial<typeof owner> = {},
    settings?: {
      business_name: string;
      brand_color?: string;
      support_email?: string;
      support_url?: string;
      payer_mails?: boolean;
    },
  ) =>
    upsertSettings(db, {
      ...owner,
      ...changed,
      origins,
      ...(settings && { settings }),
      revision: ++revision,
    });
  const pages = await openPages(dist);
  const { routes, endRevoked, endReplaced } = openWeb({
    db,
    bus,
    pages,
    page: {
      ledger,
      mintFor: createMinter(parts),
      activeGateway: (whose) => findActiveGateway(db, whose),
      findBrand: (whose) => findBrand(db, whose),
      addresses,
      home,
      api,
    },
    organisers: buildOrganiserCalls(bus),
    reminders: o.reminders,
    limits: {
      most: o.most ?? 100,
      perGroup: o.perGroup ?? 50,
      perAddress: o.perAddress ?? 100,
      perToken: o.perToken ?? 20,
    },
    pace: { perSecond: 1_000, burst: 1_000 },
    mints: {
      byAddress: { perSecond: 0.1, burst: o.mints ?? 1_000 },
      byLink: { perSecond: 1_000, burst: 1_000 },
    },
    organiserActs: { perSecond: 0.1, burst: 10 },
    heartbeatMs: o.heartbeatMs ?? 600_000,
    repairMs: 600_000,
  });
  const wakes: (number | undefined)[] = [];
  endRevoked.onWake?.((withinMs) => void wakes.push(withinMs));
  const app = createHttpApp({ routes, trustProxy: 'loopback' });
  const server = await listen(app, { host: '127.0.0.1', port: 0 });
  const origin = `http://127.0.0.1:${server.port}`;
  return {
    ...checkout,
    origin,
    pages,
    /** Ends the streams of revoked tokens, as the loop does. */
    endRevoked: () => endRevoked.runOnce(AbortSignal.timeout(10_000)),
    /** Ends the streams of replaced organisers' links, as the loop does. */
    endReplaced: () => endReplaced.runOnce(AbortSignal.timeout(10_000)),
    /** What its loop was woken with, ms. */
    wakesOfEndRevoked: () => [...wakes],
    ask: (path: string, init: RequestInit = {}) =>
      fetch(origin + path, {
        redirect: 'manual',
        ...init,
        headers: { connection: 'close', ...(init.headers as Record<string, string>) },
      }),
    /** Announces the merchant’s active gateway. */
    activate: (psp_code: 'gateway_a' | 'gateway_b' | 'gateway_c', changed: Partial<typeof owner> = {}) =>
      upsertActiveGateway(db, {
        ...owner,
        ...changed,
        psp_code,
        version: 1,
        active: true,
        revoked_at: null,
        revision: ++revision,
      }),
    register,
    /** Announces the merchant's name. */
    name: (business_name: string, changed: Partial<typeof owner> = {}) =>
      register([], changed, { business_name }),
    /** The group as the ledger has it from now on, announced as the ledger does. */
    change(group: FoundGroup, o: { isAnnounced?: boolean } = {}) {
      checkout.answer({
        find: async (request) => {
          const isOurs = request.merchant_id === 'm1' && request.mode === group.group.mode;
          if (!isOurs) throw new Error('asked for another group');
          return group;
        },
        findByPageToken: async () => group,
      });
      const { id: group_id, version } = group.group;
      if (o.isAnnounced !== false)
        others.announce(`${groupChanged.subject}.${group_id}`, { group_id, version });
    },
    /** Announces that a link of the group was replaced, as the ledger does. */
    announceReplaced(replaced_link: 'page' | 'organiser') {
      const { id: group_id, version } = found.group;
      others.announce(`${groupChanged.subject}.${group_id}`, { group_id, version, replaced_link });
    },
    async close() {
      await server.close(5_000);
      await checkout.close();
    },
  };
}

export type CheckoutWeb = Awaited<ReturnType<typeof openCheckoutWeb>>;
