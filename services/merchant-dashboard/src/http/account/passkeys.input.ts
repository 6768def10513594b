import Type from '@gp/bundled/typebox';
import { OneOf } from '@gp/contracts';
import { NAME_PATTERN } from '@gp/primitives';
import { closed } from '../../app/input/input.ts';
import { reader } from '../../app/input/reader.ts';

/** Binary data as browsers write it: base64url, of at most some kilobytes. */
const Binary = Type.String({ minLength: 1, maxLength: 8_192, pattern: '^[A-Za-z0-9_-]+$' });
const CredentialId = Type.String({ minLength: 1, maxLength: 1_400, pattern: '^[A-Za-z0-9_-]+$' });

/** Fields that every answer of a device has; browsers may add fields, which are not read. */
const common = {
  id: CredentialId,
  rawId: CredentialId,
  type: Type.Literal('public-key'),
  clientExtensionResults: Type.Object({}),
  authenticatorAttachment: Type.Optional(OneOf(['platform', 'cross-platform'])),
};
const Transport = OneOf(['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb']);

/** Parsers of what browsers send of passkeys. */
export const readNewPasskey = reader(
  Type.Object(
    {
      name: Type.String({ minLength: 1, maxLength: 60, pattern: NAME_PATTERN }),
      response: Type.Object({
        ...common,
        response: Type.Object({
          clientDataJSON: Binary,
          attestationObject: Binary,
          transports: Type.Optional(Type.Array(Transport, { maxItems: 7 })),
        }),
      }),
    },
    closed,
  ),
);
export const readPasskeyAnswer = reader(
  Type.Object(
    {
      response: Type.Object({
        ...common,
        response: Type.Object({
          clientDataJSON: Binary,
          authenticatorData: Binary,
          signature: Binary,
          userHandle: Type.Optional(Type.String({ maxLength: 128, pattern: '^[A-Za-z0-9_-]*$' })),
        }),
      }),
    },
    closed,
  ),
);
