import { currentTime } from './virtual-time.ts';

export * from 'node:crypto';

/** These stand for `node:crypto` in simulated processes: chance is the world's. */
export function randomBytes(size: number): Buffer {
  const { random } = currentTime();
  return Buffer.from(Uint8Array.from({ length: size }, () => random.between(0, 255)));
}

export function randomInt(low: number, high: number): number {
  return currentTime().random.between(low, high - 1);
}

export function randomUUID(): string {
  const hex = randomBytes(16).toString('hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20),
  ].join('-');
}
