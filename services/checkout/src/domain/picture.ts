import type { FoundGroup, GroupFacts, GroupState, SlotState } from '@gp/contracts';

/** A group from the ledger, with its facts. */
export type KnownGroup = Required<FoundGroup>;

/** A slot as any payer may see it. */
export type LiveSlot = {
  readonly id: string;
  readonly state: SlotState;
  readonly held_until: string | null;
  /** The name of the payer who holds or has paid it; absent without that payer's consent (Q97). */
  readonly shown_name?: string;
};

/** The parts of a group that change while a payer watches, as of one version of it. */
export type GroupPicture = {
  readonly rev: number;
  readonly state: GroupState;
  readonly facts: GroupFacts;
  readonly expires_at: string;
  readonly slots: readonly LiveSlot[];
};

/** A message to a follower: the whole picture, or what changed since the follower's picture. */
export type PictureUpdate =
  | { readonly kind: 'snapshot'; readonly picture: GroupPicture }
  | { readonly kind: 'change'; readonly picture: GroupPicture & { readonly prev: number } };

/** Returns the picture of a group, without the payers of its slots who did not agree to be named, and without the merchant's metadata. */
export function toPicture({ group, slots, facts }: KnownGroup): GroupPicture {
  return {
    rev: group.version,
    state: group.state,
    facts,
    expires_at: group.expires_at,
    slots: slots.map(({ id, state, reserved_until, shown_name }) => ({
      id,
      state,
      held_until: state === 'assigned' ? reserved_until : null,
      ...(shown_name !== undefined && { shown_name }),
    })),
  };
}

/** Returns the newer of two pictures. The same version may come again with other instants: a test clock moved. */
export function newer(known: GroupPicture | undefined, seen: GroupPicture): GroupPicture {
  return known && known.rev > seen.rev ? known : seen;
}

/** Returns what changed; undefined when nothing did. Without an earlier picture it returns the whole one. */
export function findChanges(before: GroupPicture | undefined, now: GroupPicture): PictureUpdate | undefined {
  if (!before) return { kind: 'snapshot', picture: now };
  const known = new Map(before.slots.map((slot) => [slot.id, slot]));
  const slots = now.slots.filter((slot) => !isSame(known.get(slot.id), slot));
  const isSameGroup = before.state === now.state && before.expires_at === now.expires_at;
  if (before.rev === now.rev && isSameGroup && slots.length === 0) return undefined;
  return { kind: 'change', picture: { ...now, slots, prev: before.rev } };
}

const isSame = (before: LiveSlot | undefined, now: LiveSlot): boolean =>
  before?.state === now.state && before.held_until === now.held_until && before.shown_name === now.shown_name;
