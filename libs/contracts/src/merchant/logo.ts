import Type, { type Static } from '@gp/bundled/typebox';
import { LOGO_LIMITS } from '@gp/primitives';
import { Scope } from '../common.ts';
import { message } from '../contract.ts';

/** The kinds of pictures that a logo may be, by the ending of the file's name. */
export const LOGO_TYPES = { png: 'image/png', jpg: 'image/jpeg', webp: 'image/webp' } as const;
export type LogoType = (typeof LOGO_TYPES)[keyof typeof LOGO_TYPES];

/** The name of a logo's file: the beginning of the SHA-256 of its bytes in hex, and what kind of picture it is. */
export const LOGO_FILE_PATTERN = '^[0-9a-f]{40}\\.(png|jpg|webp)$';

const FILE = new RegExp(LOGO_FILE_PATTERN);

/** Returns what kind of picture a logo is by the name of its file; undefined for a name that no logo can have. */
export function findLogoType(file: string): LogoType | undefined {
  const ending = FILE.exec(file)?.[1];
  return ending === undefined ? undefined : LOGO_TYPES[ending as keyof typeof LOGO_TYPES];
}

/** Returns the ending of the file name of a logo of this kind. */
export function findLogoEnding(type: LogoType): string {
  return (
    Object.keys(LOGO_TYPES).find((ending) => LOGO_TYPES[ending as keyof typeof LOGO_TYPES] === type) ?? ''
  );
}

const Side = Type.Integer({ minimum: LOGO_LIMITS.leastSide, maximum: LOGO_LIMITS.mostSide });
const Logo = Type.Object({
  file: Type.String({ pattern: LOGO_FILE_PATTERN }),
  width: Side,
  height: Side,
  /** The bytes in base64. */
  content: Type.String({
    minLength: 4,
    maxLength: Math.ceil(LOGO_LIMITS.bytes / 3) * 4,
    pattern: '^[A-Za-z0-9+/]+={0,2}$',
  }),
});

const LogoChanged = Type.Object({
  ...Scope,
  /** Null when the merchant has removed it. */
  logo: Type.Union([Logo, Type.Null()]),
  revision: Type.Integer({ minimum: 1 }),
});

/**
 * A merchant's logo in a mode, after it changed; older messages are ignored. It is no merchant setting, because every service
 * that follows settings would carry its bytes.
 */
export type LogoChanged = Static<typeof LogoChanged>;
export const logoChanged = message('evt.merchant.logo.changed.v1', LogoChanged);
