import { DAMAGED, FOLLOWED, TURNED, join, readText, viewOf, type Fault, type Picture } from './picture.ts';
import { isTurned } from './exif.ts';

const SOI = 0xd8;
const EOI = 0xd9;
const SOS = 0xda;
/** Of the kinds of frames, those that every browser shows: baseline, extended and progressive. */
const FRAMES = new Set([0xc0, 0xc1, 0xc2]);
/** Lossless, hierarchical and arithmetic ones. */
const OTHER_FRAMES = new Set([0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf]);
/** Tables: Huffman, quantisation, number of lines, restart interval. */
const TABLES = new Set([0xc4, 0xdb, 0xdc, 0xdd]);
const JFIF = 0xe0;
const EXIF = 0xe1;
const PROFILE = 0xe2;
const ADOBE = 0xee;
/** A JFIF segment without a small picture of its own. */
const BARE_JFIF_BYTES = 16;

const UNUSUAL: Fault = { fault: 'is a kind of JPEG that browsers do not show; export it again' };

type Segment = { readonly marker: number; readonly body: Uint8Array; readonly whole: Uint8Array };

export const isJpeg = (bytes: Uint8Array): boolean =>
  bytes[0] === 0xff && bytes[1] === SOI && bytes[2] === 0xff;

/** Reads a JPEG segment by segment up to its end; comments and metadata are left out, the colour profile stays. */
export function readJpeg(bytes: Uint8Array): Picture | Fault {
  const kept = [bytes.subarray(0, 2)];
  let size: { width: number; height: number } | undefined;
  let hasPixels = false;
  for (let at = 2; ;) {
    const segment = readSegment(bytes, at);
    if (!segment) return DAMAGED;
    const { marker, body, whole } = segment;
    at += whole.length;
    if (marker === EXIF && readText(body, 0, 4) === 'Exif' && isTurned(body.subarray(6))) return TURNED;
    if (isKept(segment)) kept.push(whole);
    if (marker === EOI) {
      if (at !== bytes.length) return FOLLOWED;
      return size && hasPixels ? { ...size, content: join(kept) } : DAMAGED;
    }
    if (FRAMES.has(marker)) {
      if (size || body.length < 6) return DAMAGED;
      size = { height: viewOf(body).getUint16(1), width: viewOf(body).getUint16(3) };
    }
    if (OTHER_FRAMES.has(marker)) return UNUSUAL;
    if (marker === SOS) {
      if (!size) return DAMAGED;
      const end = findEndOfScan(bytes, at);
      hasPixels ||= end > at;
      kept.push(bytes.subarray(at, end));
      at = end;
    }
  }
}

function readSegment(bytes: Uint8Array, from: number): Segment | undefined {
  if (bytes[from] !== 0xff) return undefined;
  let at = from;
  // Any number of fill bytes may stand before a marker.
  while (bytes[at] === 0xff) at++;
  const marker = bytes[at++];
  if (marker === undefined || marker < 0xc0 || marker === SOI) return undefined;
  if (marker === EOI) return { marker, body: new Uint8Array(), whole: bytes.subarray(from, at) };
  if (at + 2 > bytes.length) return undefined;
  const length = viewOf(bytes).getUint16(at);
  const end = at + length;
  if (length < 2 || end > bytes.length) return undefined;
  return { marker, body: bytes.subarray(at + 2, end), whole: bytes.subarray(from, end) };
}

function isKept({ marker, body, whole }: Segment): boolean {
  if (marker === JFIF) return readText(body, 0, 4) === 'JFIF' && whole.length === BARE_JFIF_BYTES + 2;
  if (marker === PROFILE) return readText(body, 0, 11) === 'ICC_PROFILE';
  return [ADOBE, SOS, EOI].includes(marker) || FRAMES.has(marker) || TABLES.has(marker);
}

/** Returns where the pixels of a scan end: at the next marker that is neither a restart nor a byte of the pixels. */
function findEndOfScan(bytes: Uint8Array, from: number): number {
  for (let at = from; at < bytes.length - 1; at++) {
    const next = bytes[at + 1] ?? 0;
    const isRestart = next >= 0xd0 && next <= 0xd7;
    if (bytes[at] === 0xff && next !== 0 && next !== 0xff && !isRestart) return at;
  }
  return bytes.length;
}
