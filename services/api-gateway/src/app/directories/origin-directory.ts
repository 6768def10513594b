import { merchantSettings, type Mode, type OrganiserRight, type SettingsChanged } from '@gp/contracts';
import { findSettings, type KnownSettings } from '@gp/outbox';
import type { Db } from '@gp/pg';
import { isOriginRegisteredByAnyone } from '../../db/allowed-origins.ts';
import { directory } from './directory.ts';

const MOST_MERCHANTS = 5_000;
/** Anyone can send any origin: few are cached, and not for long. */
const MOST_ORIGINS = 1_000;
const FRESH_MS = 10_000;

/** Longer than any host name with its port; a longer origin is not looked up. */
const LONGEST_ORIGIN = 270;

export type Owner = { readonly merchantId: string; readonly mode: Mode };

export type OriginDirectory = {
  /** Returns true when the merchant registered this origin in this mode. */
  isRegistered(owner: Owner, origin: string): Promise<boolean>;
  /** Returns what the organiser may do of a payment that is created without saying so; nothing for no organiser (Q83). */
  findOrganiserRights(owner: Owner): Promise<readonly OrganiserRight[]>;
  /** Returns true when any merchant registered this origin: all that can be checked before authentication. */
  isRegisteredByAnyone(origin: string): Promise<boolean>;
  update(change: SettingsChanged): void;
  /** Call it when announcements may have been missed. */
  distrust(): void;
};

/** Caches the web origins that merchants registered, with what else of their settings a request needs. Rejects with `service_unavailable` without a database. */
export function originDirectory(o: { db: Db; now?: () => number }): OriginDirectory {
  const now = o.now ?? (() => performance.now());
  const anybodys = new Map<string, { readonly is: boolean; readonly freshUntil: number }>();
  /** Origins that were announced a moment ago: that the table lacks one is not cached. */
  const expected = new Map<string, number>();
  const ofMerchants = directory<KnownSettings>({
    load: (keys) => findSettings(o.db, keys.map(parseOwnerKey)),
    readKey: ({ merchant_id: merchantId, mode }) => formatOwnerKey({ merchantId, mode }),
    readRevision: ({ revision }) => revision,
    cachesAbsence: true,
    most: MOST_MERCHANTS,
    now: o.now,
  });
  const store = (origin: string, is: boolean): boolean => {
    anybodys.delete(origin);
    anybodys.set(origin, { is, freshUntil: now() + FRESH_MS });
    const [oldest] = anybodys.keys();
    if (anybodys.size > MOST_ORIGINS && oldest !== undefined) anybodys.delete(oldest);
    return is;
  };

  return {
    async isRegistered(owner, origin) {
      const record = await ofMerchants.find(formatOwnerKey(owner));
      return record?.allowed_origins.includes(origin) ?? false;
    },
    async findOrganiserRights(owner) {
      const record = await ofMerchants.find(formatOwnerKey(owner));
      return record?.organiser_rights ?? [];
    },
    async isRegisteredByAnyone(origin) {
      if (origin.length > LONGEST_ORIGIN) return false;
      const known = anybodys.get(origin);
      if (known && known.freshUntil > now()) return known.is;
      const is = await isOriginRegisteredByAnyone(o.db, origin);
      return !is && (expected.get(origin) ?? 0) > now() ? false : store(origin, is);
    },
    distrust() {
      ofMerchants.distrust();
      anybodys.clear();
    },
    update(change) {
      const { merchant_id, mode, revision } = change;
      const settings = merchantSettings.decode(change);
      ofMerchants.update({ merchant_id, mode, revision, ...settings });
      for (const [origin, until] of expected) if (until <= now()) expected.delete(origin);
      for (const origin of settings.allowed_origins) {
        anybodys.delete(origin);
        if (expected.size < MOST_ORIGINS) expected.set(origin, now() + FRESH_MS);
      }
    },
  };
}

const formatOwnerKey = ({ merchantId, mode }: Owner): string => `${mode}:${merchantId}`;

function parseOwnerKey(key: string): Owner {
  const at = key.indexOf(':');
  return { mode: key.slice(0, at) as Mode, merchantId: key.slice(at + 1) };
}
