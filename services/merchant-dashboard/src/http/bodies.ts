import { Mode, PspCode } from '@gp/contracts';
import type { AppError } from '@gp/errors';
import { validationError } from '@gp/errors';
import { readJson, type HttpRequest } from '@gp/http';
import { Ajv, type ErrorObject } from 'ajv';
import addFormats from 'ajv-formats';
import Type, { type Static, type TSchema } from 'typebox';

const ajv = new Ajv({ strict: true, allErrors: false });
addFormats.default(ajv);

const Email = Type.String({ format: 'email', maxLength: 320 });
const Password = Type.String({ minLength: 12, maxLength: 200 });
const closed = { additionalProperties: false };

export const readSignup = reader(
  Type.Object(
    {
      merchant_name: Type.String({ minLength: 1, maxLength: 100, pattern: '\\S' }),
      email: Email,
      password: Password,
    },
    closed,
  ),
);
export const readLogin = reader(
  Type.Object({ email: Type.String({ maxLength: 320 }), password: Type.String({ maxLength: 200 }) }, closed),
);
export const readNewKey = reader(
  Type.Object({ mode: Mode, name: Type.String({ minLength: 1, maxLength: 100 }) }, closed),
);
export const readGateway = reader(Type.Object({ mode: Mode, psp_code: PspCode }, closed));
export const readConnection = reader(
  Type.Object(
    {
      mode: Mode,
      psp_code: PspCode,
      credentials: Type.Record(Type.String({ maxLength: 60 }), Type.String({ maxLength: 4_000 }), {
        maxProperties: 20,
      }),
    },
    closed,
  ),
);

/** The mode a list is asked for; nothing crosses modes. */
export function modeOf(request: HttpRequest): 'test' | 'live' {
  const mode = request.query.get('mode');
  if (mode !== 'test' && mode !== 'live') throw validationError('mode', 'must be test or live');
  return mode;
}

function reader<S extends TSchema>(schema: S): (request: HttpRequest) => Static<S> {
  const validate = ajv.compile(schema);
  return (request) => {
    const body = readJson(request);
    if (!validate(body)) throw fault(validate.errors?.[0]);
    return body as Static<S>;
  };
}

function fault(error: ErrorObject | undefined): AppError {
  const params = error?.params as { missingProperty?: string; additionalProperty?: string } | undefined;
  const named = params?.missingProperty ?? params?.additionalProperty;
  const path = (error?.instancePath ?? '').split('/').slice(1);
  const field = [...path, ...(named === undefined ? [] : [named])].join('.') || 'body';
  if (params?.missingProperty !== undefined) return validationError(field, 'is required');
  if (params?.additionalProperty !== undefined) return validationError(field, 'is not a known field');
  return validationError(field, error?.message ?? 'is not valid');
}
