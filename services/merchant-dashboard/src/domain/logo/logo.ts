import { LOGO_TYPES, type LogoType } from '@gp/contracts';
import { LOGO_LIMITS } from '@gp/primitives';
import { isJpeg, readJpeg } from './jpeg.ts';
import { isFault, readText, type Fault, type Picture } from './picture.ts';
import { isPng, readPng } from './png.ts';
import { isWebp, readWebp } from './webp.ts';

/** A picture that may be a merchant's logo. */
export type Logo = Picture & { readonly type: LogoType };

const { bytes: MOST_BYTES, leastSide, mostSide } = LOGO_LIMITS;
const READERS = [
  ['PNG', LOGO_TYPES.png, isPng, readPng],
  ['JPEG', LOGO_TYPES.jpg, isJpeg, readJpeg],
  ['WebP', LOGO_TYPES.webp, isWebp, readWebp],
] as const;
const OTHER_TYPES: readonly (readonly [start: RegExp, fault: string])[] = [
  [/^GIF8/, 'must be a PNG, JPEG or WebP picture, and this is a GIF'],
  [
    /^\s*(?:<\?xml|<!--|<!doctype svg|<svg)/i,
    'must be a PNG, JPEG or WebP picture; an SVG may contain programs, so save it as PNG',
  ],
];

/**
 * Reads a logo by what its bytes are, whatever name or type it was sent under, and leaves out everything that is not
 * needed to show it, such as the place where a photo was taken. Refuses what the declared type is not.
 */
export function readLogo(bytes: Uint8Array, declared: string): Logo | Fault {
  const found = READERS.find(([, , isOne]) => isOne(bytes));
  if (!found) {
    const start = readText(bytes, 0, 256).replace(/^\u00ef\u00bb\u00bf/, '');
    const other = OTHER_TYPES.find(([pattern]) => pattern.test(start));
    return { fault: other?.[1] ?? 'must be a PNG, JPEG or WebP picture' };
  }
  if (bytes.length > MOST_BYTES) return { fault: `must be at most ${MOST_BYTES / 1024} kB` };
  const [name, type, , read] = found;
  if (type !== declared)
    return { fault: `is a ${name} that was sent as something else; correct the ending of its file name` };
  const picture = read(bytes);
  if (isFault(picture)) return picture;
  const { width, height } = picture;
  const sides = [width, height];
  if (sides.some((side) => side < leastSide || side > mostSide))
    return {
      fault: `must be ${leastSide} to ${mostSide} pixels wide and high; this is ${width} × ${height}`,
    };
  return { ...picture, type };
}
