import { Mode, PspCode } from '@gp/contracts';
import { validationError, type AppError } from '@gp/errors';
import { Ajv, type ErrorObject } from 'ajv';
import addFormats from 'ajv-formats';
import Type, { type Static, type TSchema } from 'typebox';

const ajv = new Ajv({ strict: true, allErrors: false });
addFormats.default(ajv);

/** Text a person may give a name in: something to see, no control characters, no halves of characters. */
const Name = Type.String({ minLength: 1, maxLength: 100, pattern: '^(?=.*\\S)[^\\p{Cc}\\p{Cs}]*$' });
/** Postgres keeps no NUL, and half a character has no UTF-8. */
const storable = { pattern: '^[^\\u0000\\p{Cs}]*$' };
const closed = { additionalProperties: false };

const Credentials = Type.Unsafe<Record<string, string>>({
  type: 'object',
  maxProperties: 20,
  propertyNames: { pattern: '^[a-z][a-z0-9_]{0,59}$' },
  additionalProperties: { type: 'string', maxLength: 4_000, ...storable },
});

const NewMerchant = Type.Object(
  {
    merchant_name: Name,
    email: Type.String({ format: 'email', maxLength: 320 }),
    // The upper bound keeps a stranger from buying hashing time with a megabyte.
    password: Type.String({ minLength: 12, maxLength: 200 }),
  },
  closed,
);
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

function reader<S extends TSchema>(schema: S): (entered: unknown) => Static<S> {
  const validate = ajv.compile(schema);
  return (entered) => {
    if (!validate(entered)) throw fault(validate.errors?.[0]);
    return entered as Static<S>;
  };
}

type Params = { missingProperty?: string; additionalProperty?: string; propertyName?: string };

function fault(error: ErrorObject | undefined): AppError {
  const { missingProperty, additionalProperty, propertyName }: Params = error?.params ?? {};
  const path = (error?.instancePath ?? '').split('/').slice(1);
  const named = (last?: string) => [...path, ...(last === undefined ? [] : [last])].join('.') || 'body';
  if (missingProperty !== undefined) return validationError(named(missingProperty), 'is required');
  if (additionalProperty !== undefined)
    return validationError(named(additionalProperty), 'is not a known field');
  if (propertyName !== undefined || error?.propertyName !== undefined)
    return validationError(named(), 'has a field that no gateway asks for');
  return validationError(named(), reasonOf(error));
}

function reasonOf(error: ErrorObject | undefined): string {
  if (error?.keyword === 'pattern') return 'has characters that cannot be stored, or none to see';
  if (error?.keyword === 'enum')
    return `must be one of ${(error.params as { allowedValues: string[] }).allowedValues.join(', ')}`;
  return error?.message ?? 'is not valid';
}
