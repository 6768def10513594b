import { Mode, PspCode } from '@gp/contracts';
import Type, { type Static } from 'typebox';
import { reader } from './reader.ts';

/** Text a person may give a name in: something to see, no control characters, no halves of characters. */
export const Name = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '^(?=.*\\S)[^\\p{Cc}\\p{Cs}]*$',
});
/** Postgres keeps no NUL, and half a character has no UTF-8. */
const storable = { pattern: '^[^\\u0000\\p{Cs}]*$' };
export const closed = { additionalProperties: false };
export const Email = Type.String({ format: 'email', maxLength: 320 });
// The upper bound keeps a stranger from buying hashing time with a megabyte.
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

/** Readers of what a person enters, over HTTP or at the command line; each throws validation_error naming the field. */
export const readNewMerchant = reader(NewMerchant);
export const readLogin = reader(Login);
export const readNewKey = reader(Type.Object({ mode: Mode, name: Name }, closed));
export const readGateway = reader(Type.Object({ mode: Mode, psp_code: PspCode }, closed));
export const readConnection = reader(
  Type.Object({ mode: Mode, psp_code: PspCode, credentials: Credentials }, closed),
);
export const readOrigins = reader(
  Type.Object({ mode: Mode, origins: Type.Array(Type.String({ maxLength: 255 }), { maxItems: 50 }) }, closed),
);
/** The mode a list is asked for; nothing crosses modes. */
export const readMode = reader(Type.Object({ mode: Mode }, closed));
/** Nothing can be chosen. */
export const readEmpty = reader(Type.Object({}, closed));
