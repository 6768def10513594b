import { eachNext } from './actions.ts';
import { encode } from './encode.ts';
import { checkWorld, isSettled } from './invariants.ts';
import { Visited } from './visited.ts';
import { firstWorld, type Bounds, type Decide, type World } from './world.ts';

export type Exploration = {
  readonly states: number;
  readonly steps: number;
  readonly settled: number;
  /** Every state the walk met leads somewhere settled, or these many do not. */
  readonly stuck: number;
  readonly stuckWay: readonly string[] | undefined;
  /** The broken promise and the shortest way to it; undefined when all held. */
  readonly broken: { readonly promise: string; readonly way: readonly string[] } | undefined;
  readonly isComplete: boolean;
};

/** Numbers that grow without moving what is there. */
class Numbers {
  #values = new Int32Array(1 << 20);
  length = 0;

  push(value: number): void {
    if (this.length === this.#values.length) {
      const grown = new Int32Array(this.#values.length * 2);
      grown.set(this.#values);
      this.#values = grown;
    }
    this.#values[this.length++] = value;
  }

  at(index: number): number {
    return this.#values[index]!;
  }
}

/**
 * Walks every reachable state breadth-first from an empty group, checks every promise in each, and finds the
 * states from which nothing settled can be reached. Stops at the first broken promise, or after `maxStates`.
 */
export function explore(decide: Decide, bounds: Bounds, maxStates = Infinity): Exploration {
  const visited = new Visited();
  const cameFrom = new Numbers();
  const cameBy = new Numbers();
  const edgesFrom = new Numbers();
  const edgesTo = new Numbers();
  const names: string[] = [];
  const nameNumbers = new Map<string, number>();
  const settled: number[] = [];
  let queue: World[] = [];
  let nextQueue: World[] = [];
  let number = -1;
  let name = 'start';

  const nameNumber = (): number => {
    const known = nameNumbers.get(name);
    if (known !== undefined) return known;
    nameNumbers.set(name, names.length);
    return names.push(name) - 1;
  };
  const arrive = (by: string, world: World): void => {
    name = by;
    const code = encode(world);
    const to = visited.assignNumber(code.words, code.length);
    if (number >= 0) {
      edgesFrom.push(number);
      edgesTo.push(to);
    }
    if (!visited.isNew) return;
    cameFrom.push(number);
    cameBy.push(nameNumber());
    checkWorld(world);
    if (isSettled(world)) settled.push(to);
    nextQueue.push(world);
  };
  const wayTo = (last: number): string[] => {
    const way: string[] = [];
    for (let at = last; at > 0; at = cameFrom.at(at)) way.unshift(names[cameBy.at(at)]!);
    return way;
  };

  try {
    arrive('start', firstWorld(bounds));
    // Numbers are given in order of arrival and worlds leave in the same order.
    for (let at = 0; nextQueue.length > 0 && visited.size < maxStates;) {
      [queue, nextQueue] = [nextQueue, []];
      for (const world of queue) {
        if (visited.size >= maxStates) break;
        number = at++;
        name = '';
        eachNext(world, decide, bounds, arrive);
      }
    }
  } catch (error) {
    const promise = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    const way = [...wayTo(number), `(${name || 'next'})`];
    return {
      states: visited.size,
      steps: edgesFrom.length,
      settled: settled.length,
      stuck: 0,
      stuckWay: undefined,
      broken: { promise, way },
      isComplete: false,
    };
  }
  const isComplete = visited.size < maxStates;
  const stuckStates = isComplete ? findStuck(visited.size, edgesFrom, edgesTo, settled) : [];
  const stuck = stuckStates.length;
  // The first one met has the shortest way.
  const stuckWay = stuckStates[0] === undefined ? undefined : wayTo(stuckStates[0]);
  return {
    states: visited.size,
    steps: edgesFrom.length,
    settled: settled.length,
    stuck,
    stuckWay,
    broken: undefined,
    isComplete,
  };
}

/** Walks the steps backwards from the settled states and lists what was not met. */
function findStuck(states: number, from: Numbers, to: Numbers, settled: readonly number[]): number[] {
  const offsets = new Int32Array(states + 1);
  for (let edge = 0; edge < to.length; edge += 1) offsets[to.at(edge) + 1]! += 1;
  for (let state = 0; state < states; state += 1) offsets[state + 1]! += offsets[state]!;
  const fill = offsets.slice();
  const origins = new Int32Array(to.length);
  for (let edge = 0; edge < to.length; edge += 1) origins[fill[to.at(edge)]!++] = from.at(edge);

  const isMet = new Uint8Array(states);
  const open = [...settled];
  for (const state of settled) isMet[state] = 1;
  for (let state = open.pop(); state !== undefined; state = open.pop()) {
    for (let at = offsets[state]!; at < offsets[state + 1]!; at += 1) {
      const origin = origins[at]!;
      if (isMet[origin] === 1) continue;
      isMet[origin] = 1;
      open.push(origin);
    }
  }
  const stuck: number[] = [];
  for (let state = 0; state < states; state += 1) if (isMet[state] === 0) stuck.push(state);
  return stuck;
}
