/** Where the code of a function is: its file as a URL, and its first line, from 0. Native functions have no file. */
export type Frame = { readonly functionName: string; readonly url: string; readonly lineNumber: number };

/** A CPU profile of V8, as far as it is read here: a tree of calls, and the call that each sample found. */
export type Profile = {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: Frame;
    readonly children?: readonly number[];
  }[];
  readonly samples?: readonly number[];
};

export const GARBAGE = 'garbage collector';
/** Work of V8 and of Node's native parts that no function called: compiling, the event loop, reads and writes. */
export const NATIVE = 'native parts of Node and V8';

const OF_V8: ReadonlyMap<string, string> = new Map([
  ['(garbage collector)', GARBAGE],
  ['(program)', NATIVE],
  ['(root)', NATIVE],
]);
const IDLE = '(idle)';

/**
 * Counts the samples of a profile by layer, those of an idle process left out. A sample counts for the function that ran, a
 * native function for the one that called it.
 */
export function countSamples(profile: Profile, findLayer: (frame: Frame) => string): Map<string, number> {
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  const parents = new Map(
    profile.nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])),
  );
  const findNodeLayer = (id: number): string => {
    const frame = nodes.get(id)?.callFrame;
    if (frame === undefined) return NATIVE;
    if (frame.url !== '') return findLayer(frame);
    return OF_V8.get(frame.functionName) ?? findNodeLayer(parents.get(id) ?? NaN);
  };
  const layers = new Map<string, number>();
  for (const id of profile.samples ?? []) {
    if (nodes.get(id)?.callFrame.functionName === IDLE) continue;
    const layer = findNodeLayer(id);
    layers.set(layer, (layers.get(layer) ?? 0) + 1);
  }
  return layers;
}
