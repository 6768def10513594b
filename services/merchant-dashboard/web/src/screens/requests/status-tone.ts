import type { Tone } from '../../parts/tone.ts';

/** Returns the tone of an answer: a fault of the caller is a warning, one of the platform is bad. */
export function findStatusTone(status: number): Tone {
  if (status >= 500) return 'bad';
  return status >= 400 ? 'warn' : 'good';
}
