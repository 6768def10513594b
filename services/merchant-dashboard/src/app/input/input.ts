import { Instant, KEY_SCOPES, Mode, OneOf, ORGANISER_RIGHTS, PspCode } from '@gp/contracts';
import { NAME_PATTERN } from '@gp/primitives';
import Type, { type Static } from '@gp/bundled/typebox';
import { reader } from './reader.ts';

export const Name = Type.String({ minLength: 1, maxLength: 100, pattern: NAME_PATTERN });
/** The name of a group payment, as the public API takes it. */
export const GroupName = Type.String({ minLength: 1, maxLength: 32, pattern: NAME_PATTERN });
/** The text beside a slot's amount, as the public API takes it. */
export const SlotLabel = Type.String({ minLength: 1, maxLength: 60, pattern: NAME_PATTERN });
/** Postgres cannot store NUL, and a lone surrogate has no UTF-8 encoding. */
const storable = { pattern: '^[^\\u0000\\p{Cs}]*$' };
export const closed = { additionalProperties: false };
export const Email = Type.String({ format: 'email', maxLength: 320 });
// The upper bound keeps a stranger from causing expensive hashing with a password of a megabyte.
export const NewPassword = Type.String({ minLength: 12, maxLength: 200 });

const Credentials = Type.Unsafe<Record<string, string>>({
  type: 'object',
  maxProperties: 20,
  propertyNames: { pattern: '^[a-z][a-z0-9_]{0,59}$' },
  additionalProperties: { type: 'string', maxLength: 4_000, ...storable },
});

const NewMerchant = Type.Object({ merchant_name: Name, email: Email, password: NewPassword }, closed);
const Login = Type.Object(
  { email: Type.String({ maxLength: 320, ...storable }), password: Type.String({ maxLength: 200 }) },
  closed,
);

export type NewMerchant = Static<typeof NewMerchant>;

/** Parsers of user input, over HTTP or at the command line; each throws validation_error naming the field. */
export const readNewMerchant = reader(NewMerchant);
export const readLogin = reader(Login);
const MOST_ADDRESSES = 50;
export const readNewKey = reader(
  Type.Object(
    {
      mode: Mode,
      name: Name,
      /** Absent for everything the maker may do. */
      scopes: Type.Optional(Type.Array(OneOf(KEY_SCOPES), { minItems: 1, maxItems: KEY_SCOPES.length })),
      expires_at: Type.Optional(Instant),
      allowed_addresses: Type.Optional(
        Type.Array(Type.String({ maxLength: 50 }), { maxItems: MOST_ADDRESSES }),
      ),
    },
    closed,
  ),
);
export const readGateway = reader(Type.Object({ mode: Mode, psp_code: PspCode }, closed));
export const readConnection = reader(
  Type.Object({ mode: Mode, psp_code: PspCode, credentials: Credentials }, closed),
);
export const readOrigins = reader(
  Type.Object({ mode: Mode, origins: Type.Array(Type.String({ maxLength: 255 }), { maxItems: 50 }) }, closed),
);
export const readBranding = reader(
  Type.Object(
    {
      mode: Mode,
      brand_color: Type.Union([
        Type.String({ pattern: '^#[0-9A-Fa-f]{6}$', misfit: 'must be a colour such as #0b5d3b' }),
        Type.Null(),
      ]),
    },
    closed,
  ),
);
/** Longer than a logo may be in base64, so that a reader of pictures says what the bound is. */
const LOGO_CHARACTERS = 200_000;
export const readLogoChange = reader(
  Type.Object(
    {
      mode: Mode,
      logo: Type.Union([
        Type.Object(
          {
            media_type: Type.String({ maxLength: 100 }),
            content: Type.String({ maxLength: LOGO_CHARACTERS }),
          },
          closed,
        ),
        Type.Null(),
      ]),
    },
    closed,
  ),
);
/** The longest address that mail servers take (RFC 5321), in characters. */
const MAIL_ADDRESS_LENGTH = 254;
/** The page is read by `readSupportUrl`. */
export const readSupportContact = reader(
  Type.Object(
    {
      mode: Mode,
      support_email: Type.Union([
        Type.String({ format: 'email', maxLength: MAIL_ADDRESS_LENGTH }),
        Type.Null(),
      ]),
      support_url: Type.Union([Type.String({ maxLength: 2_000 }), Type.Null()]),
    },
    closed,
  ),
);
export const readPayerMails = reader(Type.Object({ mode: Mode, payer_mails: Type.Boolean() }, closed));
/** What an organiser may do. */
export const OrganiserMay = Type.Array(OneOf(ORGANISER_RIGHTS), {
  maxItems: ORGANISER_RIGHTS.length,
  uniqueItems: true,
});
export const readOrganiserRights = reader(
  Type.Object({ mode: Mode, organiser_rights: OrganiserMay }, closed),
);
/** The mode a list is requested for; nothing crosses modes (S9). */
export const readMode = reader(Type.Object({ mode: Mode }, closed));
/** No options. */
export const readEmpty = reader(Type.Object({}, closed));
