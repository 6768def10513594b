import { crc32, deflateSync } from 'node:zlib';

export type DrawnPng = {
  readonly width?: number;
  readonly height?: number;
  /** Chunks between the header and the pixels. */
  readonly chunks?: readonly Buffer[];
  /** Pixels as they are compressed, in place of a plain colour. */
  readonly raw?: Buffer;
  /** Red, green, blue and opacity. */
  readonly color?: readonly [number, number, number, number];
};

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Returns a PNG of one colour, 32 pixels wide and high unless told otherwise. */
export function drawPng({ width = 32, height = 32, chunks = [], ...o }: DrawnPng = {}): Buffer {
  const size = Buffer.alloc(8);
  size.writeUInt32BE(width, 0);
  size.writeUInt32BE(height, 4);
  // Eight bits of red, green, blue and opacity, without interlacing.
  const header = Buffer.concat([size, Buffer.from([8, 6, 0, 0, 0])]);
  const { raw = drawRows(width, height, o.color ?? [11, 93, 59, 255]) } = o;
  const parts = [pngChunk('IHDR', header), ...chunks, pngChunk('IDAT', deflateSync(raw)), pngChunk('IEND')];
  return Buffer.concat([SIGNATURE, ...parts]);
}

/** Returns a chunk of a PNG with its length and its checksum. */
export function pngChunk(name: string, data: Uint8Array = Buffer.alloc(0)): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, checksum]);
}

function drawRows(width: number, height: number, color: readonly number[]): Buffer {
  const row = Buffer.concat([Buffer.from([0]), Buffer.alloc(width * 4, Buffer.from(color))]);
  return Buffer.concat(Array.from({ length: height }, () => row));
}
