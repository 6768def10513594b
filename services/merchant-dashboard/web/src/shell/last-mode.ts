import { isMode, type Mode } from './mode.ts';

const KEY = 'gp.mode';

/** Returns the mode this browser was in last; test on the first visit. */
export function lastMode(): Mode {
  const stored = localStorage.getItem(KEY) ?? undefined;
  return isMode(stored) ? stored : 'test';
}

export function storeLastMode(mode: Mode): void {
  localStorage.setItem(KEY, mode);
}
