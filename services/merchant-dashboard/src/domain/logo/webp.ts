import { isTurned } from './exif.ts';
import {
  ANIMATED,
  DAMAGED,
  FOLLOWED,
  TURNED,
  join,
  readText,
  viewOf,
  type Fault,
  type Picture,
} from './picture.ts';

const HEAD_BYTES = 12;
const KEPT = new Set(['VP8X', 'VP8 ', 'VP8L', 'ALPH', 'ICCP']);
/** Bits of `VP8X`. */
const HAS = { animation: 0x02, xmp: 0x04, exif: 0x08 } as const;

type Chunk = { readonly name: string; readonly data: Uint8Array; readonly whole: Uint8Array };
type Size = { readonly width: number; readonly height: number };

export const isWebp = (bytes: Uint8Array): boolean =>
  readText(bytes, 0, 4) === 'RIFF' && readText(bytes, 8, 4) === 'WEBP';

/** Reads a WebP chunk by chunk; metadata are left out, the colour profile stays. */
export function readWebp(bytes: Uint8Array): Picture | Fault {
  const chunks = readChunks(bytes);
  if (!Array.isArray(chunks)) return chunks;
  const find = (name: string) => chunks.filter((chunk) => chunk.name === name);
  const [extended] = find('VP8X');
  const isAnimated = ((extended?.data[0] ?? 0) & HAS.animation) !== 0;
  if (isAnimated || find('ANIM').length > 0 || find('ANMF').length > 0) return ANIMATED;
  if (find('EXIF').some(({ data }) => isTurned(withoutName(data)))) return TURNED;
  const pictures = [...find('VP8 '), ...find('VP8L')];
  const size = pictures[0] && readSize(pictures[0]);
  if (pictures.length !== 1 || !size) return DAMAGED;
  if (extended && !isOfSize(extended, size)) return DAMAGED;
  const kept = chunks.filter(({ name }) => KEPT.has(name));
  if (extended && kept[0]?.name !== 'VP8X') return DAMAGED;
  return { ...size, content: write(kept) };
}

/** Some programs write the name of the segment that JPEG has before it. */
const withoutName = (data: Uint8Array): Uint8Array =>
  readText(data, 0, 4) === 'Exif' ? data.subarray(6) : data;

function readChunks(bytes: Uint8Array): Chunk[] | Fault {
  const view = viewOf(bytes);
  // The length counts from the name of the format on.
  const end = view.getUint32(4, true) + 8;
  if (end > bytes.length) return DAMAGED;
  if (end < bytes.length) return FOLLOWED;
  const chunks: Chunk[] = [];
  for (let at = HEAD_BYTES; at < end;) {
    if (at + 8 > end) return DAMAGED;
    const length = view.getUint32(at + 4, true);
    const next = at + 8 + length + (length % 2);
    if (next > end) return DAMAGED;
    const data = bytes.subarray(at + 8, at + 8 + length);
    chunks.push({ name: readText(bytes, at, 4), data, whole: bytes.subarray(at, next) });
    at = next;
  }
  return chunks;
}

function readSize({ name, data }: Chunk): Size | undefined {
  if (data.length < 10) return undefined;
  const view = viewOf(data);
  if (name === 'VP8L') {
    const bits = view.getUint32(1, true);
    if (data[0] !== 0x2f || bits >>> 29 !== 0) return undefined;
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  const tag = view.getUint16(0, true) | ((data[2] ?? 0) << 16);
  const isKeyFrame = (tag & 1) === 0;
  const isComplete = 10 + (tag >>> 5) <= data.length;
  if (!isKeyFrame || !isComplete || readText(data, 3, 3) !== '\u009d\u0001\u002a') return undefined;
  return { width: view.getUint16(6, true) & 0x3fff, height: view.getUint16(8, true) & 0x3fff };
}

function isOfSize({ data }: Chunk, { width, height }: Size): boolean {
  if (data.length !== 10) return false;
  const side = (at: number): number => 1 + (viewOf(data).getUint32(at, true) & 0xffffff);
  // The last three bytes of the chunk are read together with the one before them.
  const tall = 1 + (viewOf(data).getUint32(6, true) >>> 8);
  return side(4) === width && tall === height;
}

function write(kept: readonly Chunk[]): Uint8Array {
  const content = join([new Uint8Array(HEAD_BYTES), ...kept.map(({ whole }) => whole)]);
  const view = viewOf(content);
  for (const [at, name] of [
    [0, 'RIFF'],
    [8, 'WEBP'],
  ] as const)
    for (let letter = 0; letter < name.length; letter++) content[at + letter] = name.charCodeAt(letter);
  view.setUint32(4, content.length - 8, true);
  // The flags of what was left out.
  if (kept[0]?.name === 'VP8X')
    content[HEAD_BYTES + 8] = (content[HEAD_BYTES + 8] ?? 0) & ~(HAS.exif | HAS.xmp);
  return content;
}
