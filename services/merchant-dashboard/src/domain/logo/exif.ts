import { viewOf } from './picture.ts';

const ORIENTATION = 0x0112;
const ENTRY_BYTES = 12;

/**
 * Returns whether metadata (a TIFF file, as EXIF has it) ask for the picture to be turned or mirrored. Metadata are removed, and
 * such a picture would then lie on its side. Data that cannot be read ask for nothing.
 */
export function isTurned(tiff: Uint8Array): boolean {
  const isLittle = tiff[0] === 0x49 && tiff[1] === 0x49;
  const view = viewOf(tiff);
  const fits = (at: number, length: number): boolean => at + length <= tiff.length;
  if (!fits(4, 4)) return false;
  const start = view.getUint32(4, isLittle);
  if (!fits(start, 2)) return false;
  const count = view.getUint16(start, isLittle);
  for (
    let entry = start + 2, left = count;
    left > 0 && fits(entry, ENTRY_BYTES);
    entry += ENTRY_BYTES, left--
  ) {
    if (view.getUint16(entry, isLittle) === ORIENTATION) return view.getUint16(entry + 8, isLittle) > 1;
  }
  return false;
}
