import Type, { type Static, type TObject, type TProperties, type TSchema } from '@gp/bundled/typebox';
import { Scope, type Mode } from '../common.ts';
import { message } from '../contract.ts';
import { ORGANISER_RIGHTS, OrganiserRight } from '../ledger/views.ts';

/** One setting of a merchant in a mode: its schema, and its value until the merchant sets it. */
type Setting<S extends TSchema> = { readonly schema: S; readonly initial: Static<S> };

export function setting<S extends TSchema>(schema: S, initial: Static<S>): Setting<S> {
  return { schema, initial };
}

/** A colour as `#rrggbb` in small letters, or nothing. */
export const BRAND_COLOR_PATTERN = '^(#[0-9a-f]{6})?$';

/** An address of `https:` without spaces and signs that end a link, or nothing. */
export const SUPPORT_URL_PATTERN = '^(https://[^\\s"<>\\\\^`{|}]+)?$';
/** The longest address of a page that a merchant may name. */
export const SUPPORT_URL_LENGTH = 300;

/** Every setting of a merchant. A new one is one entry here, beside its use. */
export const MERCHANT_SETTINGS = {
  /** The web origins whose pages may use the merchant's session tokens: always the whole list. */
  allowed_origins: setting(Type.Array(Type.String({ maxLength: 255 }), { maxItems: 50 }), []),
  /** The name of the merchant, which payers see; empty while it was never published. */
  business_name: setting(Type.String({ maxLength: 100 }), ''),
  /** The colour of buttons and marks on the checkout page, `#rrggbb`; empty for ours. */
  brand_color: setting(Type.String({ pattern: BRAND_COLOR_PATTERN }), ''),
  /** Where payers may write to with questions, an e-mail address; empty for nowhere. */
  support_email: setting(Type.String({ maxLength: 254 }), ''),
  /** The page on which payers find help; empty for none. */
  support_url: setting(Type.String({ pattern: SUPPORT_URL_PATTERN, maxLength: SUPPORT_URL_LENGTH }), ''),
  /** Whether payers get mails about their payments (Q77). */
  payer_mails: setting(Type.Boolean(), false),
  /** What the organiser may do of a payment that is created without `organiser`; empty for no organiser (Q83). */
  organiser_rights: setting(
    Type.Array(OrganiserRight, { maxItems: ORGANISER_RIGHTS.length, uniqueItems: true }),
    [],
  ),
};

type Entries = { readonly [name: string]: Setting<TSchema> };
type OriginsEntry = { readonly allowed_origins: (typeof MERCHANT_SETTINGS)['allowed_origins'] };
type ValuesOf<E extends Entries> = { readonly [N in keyof E]: Static<E[N]['schema']> };

type Owner = { readonly merchant_id: string; readonly mode: Mode };
type Stored = { readonly origins: readonly string[]; readonly settings?: Readonly<Record<string, unknown>> };

/**
 * Defines the message about the settings of `entries`, with its encoder and decoder. Version 1.0 knew the origins
 * only, so they keep their field; all other settings are in `settings`.
 */
export function defineSettings<E extends Entries & OriginsEntry>(entries: E) {
  const { allowed_origins, ...others } = entries;
  const fields: TProperties = Object.fromEntries(
    Object.entries(others).map(([name, { schema }]) => [name, Type.Optional(schema)]),
  );
  const payload = Type.Object({
    ...Scope,
    origins: allowed_origins.schema,
    /** Absent in messages of a release without other settings, which are then unchanged. */
    settings: Type.Optional(Type.Object(fields) as TObject<Record<string, TSchema>>),
    revision: Type.Integer({ minimum: 1 }),
  });
  const names = Object.keys(others);
  return {
    payload,
    /** Returns the message of these values; `revision` grows with every change of the merchant in the mode. */
    encode(owner: Owner, values: ValuesOf<E>, revision: number): Static<typeof payload> {
      const settings = Object.fromEntries(names.map((name) => [name, values[name]]));
      const { merchant_id, mode } = owner;
      const origins = [...(values.allowed_origins as readonly string[])];
      return { merchant_id, mode, origins, ...(names.length > 0 && { settings }), revision };
    },
    /** Returns the values of a message or a row, with initial values for settings that were never set. */
    decode({ origins, settings = {} }: Stored): ValuesOf<E> {
      const read = names.map((name) => [name, settings[name] ?? others[name]?.initial]);
      return { ...Object.fromEntries(read), allowed_origins: [...origins] } as ValuesOf<E>;
    },
    initial: Object.fromEntries(
      Object.entries(entries).map(([name, { initial }]) => [name, initial]),
    ) as ValuesOf<E>,
  };
}

export const merchantSettings = defineSettings(MERCHANT_SETTINGS);
export type MerchantSettings = typeof merchantSettings.initial;

/** All settings of a merchant in a mode, after one of them changed; older messages are ignored. */
export type SettingsChanged = Static<typeof merchantSettings.payload>;
/** Subject ends with the merchant id; its name is from the release whose only setting was the origins. */
export const settingsChanged = message('evt.merchant.origins.changed.v1', merchantSettings.payload);
