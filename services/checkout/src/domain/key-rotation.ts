/** One published key of a mode, with what its rotation needs. */
export type KeyAge = { readonly kid: string; readonly signsFromMs: number };

export type RotationPolicy = {
  /** How long a key signs. */
  readonly rotateAfterMs: number;
  /** How long a key is published before it signs, so that every cached key set has it by then. */
  readonly leadMs: number;
  /** How long a key is published after it stopped signing: the longest its last token may still live. */
  readonly lingerMs: number;
};

/** The changes of a rotation: from when a new key signs, and the keys whose last token has ended. */
export type Rotation = { readonly addFromMs?: number; readonly remove: readonly string[] };

/** Returns the changes a mode's keys need now. The first key signs at once; later ones are published ahead. */
export function planRotation(keys: readonly KeyAge[], nowMs: number, policy: RotationPolicy): Rotation {
  const inOrder = keys.toSorted((a, b) => a.signsFromMs - b.signsFromMs);
  const newest = inOrder.at(-1);
  const remove = inOrder.slice(0, -1).flatMap(({ kid }, at) => {
    const replacedAtMs = inOrder[at + 1]?.signsFromMs ?? Infinity;
    return replacedAtMs + policy.lingerMs <= nowMs ? [kid] : [];
  });
  if (!newest) return { addFromMs: nowMs, remove };
  const isDue = newest.signsFromMs + policy.rotateAfterMs <= nowMs + policy.leadMs;
  return isDue ? { addFromMs: nowMs + policy.leadMs, remove } : { remove };
}
