import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_CREDENTIAL = 0x40;

/** Faults of a device. */
export type PasskeyFault = {
  readonly rpId?: string;
  readonly origin?: string;
  readonly type?: string;
  readonly isUserVerified?: boolean;
  readonly count?: number;
  readonly isSignatureWrong?: boolean;
};

/** A device with one passkey on the curve P-256, which counts its uses (WebAuthn, attestation `none`). */
export function openPasskeyDevice(at: { rpId: string; origin: string }) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const id = randomBytes(32);
  let uses = 0;
  const buildData = (o: PasskeyFault, credential?: Buffer): Buffer => {
    const verified = o.isUserVerified === false ? 0 : USER_VERIFIED;
    const counted = Buffer.alloc(4);
    counted.writeUInt32BE(o.count ?? uses);
    const flags = Buffer.of(USER_PRESENT | verified | (credential ? HAS_CREDENTIAL : 0));
    return Buffer.concat([sha256(o.rpId ?? at.rpId), flags, counted, credential ?? Buffer.alloc(0)]);
  };
  const buildClientData = (type: string, challenge: string, o: PasskeyFault): Buffer =>
    Buffer.from(JSON.stringify({ type: o.type ?? type, challenge, origin: o.origin ?? at.origin }));
  const common = { id: id.toString('base64url'), rawId: id.toString('base64url'), type: 'public-key' };
  return {
    /** Returns a device's answer to the options of a registration. */
    register(challenge: string, o: PasskeyFault = {}) {
      const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
      const length = Buffer.alloc(2);
      length.writeUInt16BE(id.length);
      const credential = Buffer.concat([Buffer.alloc(16), length, id, coseKey(x, y)]);
      const response = {
        clientDataJSON: buildClientData('webauthn.create', challenge, o).toString('base64url'),
        attestationObject: attestation(buildData(o, credential)).toString('base64url'),
        transports: ['internal'],
      };
      return { ...common, response, clientExtensionResults: {} };
    },
    /** Returns a device's answer to the options of a login. */
    logIn(challenge: string, o: PasskeyFault = {}) {
      uses += 1;
      const clientData = buildClientData('webauthn.get', challenge, o);
      const data = buildData(o);
      const signed = Buffer.concat([data, sha256(clientData)]);
      const signature = sign(
        'sha256',
        o.isSignatureWrong ? Buffer.concat([signed, data]) : signed,
        privateKey,
      );
      const response = {
        clientDataJSON: clientData.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: signature.toString('base64url'),
      };
      return { ...common, response, clientExtensionResults: {} };
    },
  };
}

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest();

/** A public key in COSE's form: kind EC2, algorithm ES256, curve P-256. */
function coseKey(x: string, y: string): Buffer {
  const [bytesX, bytesY] = [Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')];
  const head = Buffer.from('a5010203262001215820', 'hex');
  return Buffer.concat([head, bytesX, Buffer.from('225820', 'hex'), bytesY]);
}

/** The object `{fmt: 'none', attStmt: {}, authData}` in CBOR. */
function attestation(data: Buffer): Buffer {
  const text = (name: string) => Buffer.concat([Buffer.of(0x60 + name.length), Buffer.from(name)]);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(data.length);
  return Buffer.concat([
    Buffer.of(0xa3),
    ...[text('fmt'), text('none'), text('attStmt'), Buffer.of(0xa0), text('authData')],
    ...[Buffer.of(0x59), length, data],
  ]);
}
