import { generateKeyPairSync, randomUUID, type KeyObject } from 'node:crypto';
import type { Bus } from '@gp/bus';
import { listSigningKeys, SESSION_TOKEN, type Mode, type SigningKey } from '@gp/contracts';
import { SignJWT } from 'jose';

export type Signing = { readonly published: SigningKey; readonly privateKey: KeyObject; readonly x: string };

/** A signing key as checkout would make it. */
export function createSigning(mode: Mode): Signing {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const x = String(publicKey.export({ format: 'jwk' }).x);
  const published = { kid: `${mode}_${randomUUID()}`, mode, kty: 'OKP', crv: 'Ed25519', x } as const;
  return { published, privateKey, x };
}

/** Plays checkout's list of keys; a test changes the list and reads how often it was requested. */
export function serveSigningKeys(bus: Bus, keys: SigningKey[]) {
  const state = { keys, asked: 0 };
  const serving = bus.serve(listSigningKeys, () => {
    state.asked += 1;
    return Promise.resolve({ keys: state.keys });
  });
  return { state, close: () => serving.close() };
}

export type TokenParts = {
  readonly claims?: Readonly<Record<string, unknown>>;
  readonly header?: Readonly<Record<string, unknown>>;
  readonly key?: KeyObject | Uint8Array;
};

const nowSeconds = (): number => Math.floor(Date.now() / 1_000);

/** A token that is right in everything but what a test changes; a claim that is undefined is left out. */
export function tokenWith(signing: Signing, groupId: string, { claims, header, key }: TokenParts = {}) {
  const { alg, typ, iss, aud } = SESSION_TOKEN;
  const { kid, mode } = signing.published;
  return new SignJWT({
    ...{ iss, aud, iat: nowSeconds(), exp: nowSeconds() + 600, jti: randomUUID() },
    ...{ mid: 'm1', gp: groupId, mode, scope: ['read', 'pay', 'confirm'], epoch: 0, limited: false },
    ...claims,
  })
    .setProtectedHeader({ alg, typ, kid, ...header })
    .sign(key ?? signing.privateKey);
}

/** An unsigned token, as the standard's `none` has it, or one whose signature is made up. */
export async function tamperedWith(
  token: Promise<string>,
  part: { alg?: string; claims?: Readonly<Record<string, unknown>> },
) {
  const [header, payload, signature] = (await token).split('.');
  const changed = (text: string | undefined, by: object) =>
    Buffer.from(
      JSON.stringify({ ...JSON.parse(Buffer.from(text ?? '', 'base64url').toString()), ...by }),
    ).toString('base64url');
  const head = part.alg === undefined ? header : changed(header, { alg: part.alg });
  return [head, part.claims ? changed(payload, part.claims) : payload, signature].join('.');
}

export const inSeconds = (seconds: number): number => nowSeconds() + seconds;
