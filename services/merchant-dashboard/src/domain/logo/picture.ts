/** A picture without what is not needed to show it. */
export type Picture = {
  readonly width: number;
  readonly height: number;
  readonly content: Uint8Array;
  /** Of a PNG: its compressed pixels, and how many bytes they are when decompressed, which is still to be checked. */
  readonly pixels?: { readonly packed: Uint8Array; readonly unpackedBytes: number };
};

/** What a reader of pictures returns for bytes that it does not accept: why, to follow the name of the field. */
export type Fault = { readonly fault: string };

export const isFault = (read: object): read is Fault => 'fault' in read;

export const DAMAGED: Fault = { fault: 'is damaged or incomplete; export it again' };
export const ANIMATED: Fault = { fault: 'must not be animated; export one picture' };
export const FOLLOWED: Fault = { fault: 'has other data after the picture; export it again' };
export const TURNED: Fault = { fault: 'is stored turned; save it upright' };

/** Returns the bytes as Latin-1 text, which is what the names in files of pictures are. */
export const readText = (bytes: Uint8Array, from: number, length: number): string =>
  String.fromCharCode(...bytes.subarray(from, from + length));

export const viewOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Returns the pieces as one. */
export function join(pieces: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
