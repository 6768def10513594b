export { UUID } from 'uuidv7';
import { currentTime, processNowMs } from './virtual-time.ts';

const counters = new WeakMap<object, { ms: number; count: number }>();

/**
 * Stands for the package `uuidv7` in simulated processes: the same form and, as there, each process counts on within a
 * millisecond. Its chance is the world's.
 */
export function uuidv7(): string {
  const { owner, random } = currentTime();
  const counter = counters.get(owner) ?? { ms: 0, count: 0 };
  counters.set(owner, counter);
  const now = Math.floor(processNowMs());
  // The package lets a clock go back by ten seconds before it follows.
  if (now > counter.ms || now < counter.ms - 10_000) {
    counter.ms = now;
    counter.count = random.between(0, 0x3ff);
  } else counter.count += 1;
  const ms = counter.ms.toString(16).padStart(12, '0');
  const count = (counter.count & 0xfff).toString(16).padStart(3, '0');
  const chance = random.between(0, 0xffffffff).toString(16).padStart(8, '0');
  const more = random.between(0, 0xfffffff).toString(16).padStart(7, '0');
  return `${ms.slice(0, 8)}-${ms.slice(8)}-7${count}-8${more.slice(0, 3)}-${more.slice(3)}${chance}`;
}
