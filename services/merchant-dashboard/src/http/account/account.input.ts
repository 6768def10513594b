import Type from '@gp/bundled/typebox';
import { closed, Email, NewPassword } from '../../app/input/input.ts';
import { reader } from '../../app/input/reader.ts';
import { ROLES } from '../../domain/roles.ts';
import { OneOf } from '@gp/contracts';

const Token = Type.String({ pattern: '^[A-Za-z0-9_-]{43}$' });
const Code = Type.String({ minLength: 6, maxLength: 20, pattern: '^[A-Za-z0-9 -]*$' });
const Password = Type.String({ maxLength: 200 });
const Role = OneOf(ROLES);

/** Parsers of what users enter about themselves and their team. */
export const readToken = reader(Type.Object({ token: Token }, closed));
export const readCode = reader(Type.Object({ code: Code }, closed));
export const readEmail = reader(Type.Object({ email: Email }, closed));
export const readReset = reader(Type.Object({ token: Token, password: NewPassword }, closed));
export const readProof = reader(
  Type.Object(
    { password: Type.Optional(Password), code: Type.Optional(Code) },
    { ...closed, minProperties: 1 },
  ),
);
export const readPasswordChange = reader(
  Type.Object({ current_password: Password, password: NewPassword }, closed),
);
export const readInvitation = reader(Type.Object({ email: Email, role: Role }, closed));
export const readRule = reader(Type.Object({ required: Type.Boolean() }, closed));
export const readRemoval = reader(
  Type.Object({ end_keys: Type.Optional(OneOf(['true', 'false'] as const)) }, closed),
);
export const readRole = reader(Type.Object({ role: Role }, closed));
