import type { Mode } from '@gp/contracts';
import { newer, findChanges, toPicture, type GroupPicture, type KnownGroup } from '../domain/picture.ts';

export type GroupScope = { readonly merchant_id: string; readonly mode: Mode; readonly group_id: string };

/** One follower's subscription to a group; `leave` ends it and may be called again. */
export type Following = {
  /** The newest picture known. */
  picture(): GroupPicture;
  leave(): void;
};

export type LiveGroups = {
  /** Follows a group: calls `onChange`, without arguments, after each change. Rejects when the look-up does. */
  follow(scope: GroupScope, onChange: () => void): Promise<Following>;
  /** Returns the current picture, without a call to the ledger when the group has a follower. */
  look(scope: GroupScope): Promise<GroupPicture>;
};

type Ports = {
  find(scope: GroupScope): Promise<KnownGroup>;
  /** Calls `onChange` with the new version when the group has changed. */
  listen(groupId: string, onChange: (version: number) => void): { close(): Promise<void> };
};

/** A notification may get lost: every followed group is read this often in any case. */
const REPAIR_MS = 60_000;
/** The pause after a look-up that failed. */
const AGAIN_MS = 1_000;

type Watched = {
  readonly followers: Set<() => void>;
  /** Resolves once the first picture is there. */
  readonly ready: Promise<void>;
  picture(): GroupPicture | undefined;
  close(): void;
};

/**
 * Keeps the pictures of followed groups: one subscription and one look-up per change, however many followers a
 * group has. A group is dropped when its last follower leaves.
 */
export function liveGroups(ports: Ports, o: { repairMs?: number } = {}): LiveGroups {
  const watched = new Map<string, Watched>();

  const watch = (scope: GroupScope): Watched => {
    const key = formatGroupKey(scope);
    const known = watched.get(key);
    if (known) return known;
    const made = watchGroup(ports, scope, o.repairMs ?? REPAIR_MS, () => watched.delete(key));
    watched.set(key, made);
    return made;
  };

  return {
    async follow(scope, onChange) {
      const group = watch(scope);
      // A new callback, so that one that is passed twice counts twice.
      const follower = (): void => onChange();
      const leave = (): void => {
        if (group.followers.delete(follower) && group.followers.size === 0) group.close();
      };
      group.followers.add(follower);
      try {
        await group.ready;
        return { picture: () => seen(group), leave };
      } catch (error) {
        leave();
        throw error;
      }
    },
    look: async (scope) =>
      watched.get(formatGroupKey(scope))?.picture() ?? toPicture(await ports.find(scope)),
  };
}

/**
 * Subscribes before the first look-up, so that no change in between is missed. Look-ups run one at a time; a
 * change during one starts another.
 */
function watchGroup(ports: Ports, scope: GroupScope, repairMs: number, onClose: () => void): Watched {
  const followers = new Set<() => void>();
  let isOpen = true;
  let isStale = false;
  let isReading = false;
  let again: NodeJS.Timeout | undefined;
  let picture: GroupPicture | undefined;

  const read = async (): Promise<void> => {
    const before = picture;
    picture = newer(before, toPicture(await ports.find(scope)));
    if (before && findChanges(before, picture)) for (const notify of followers) notify();
  };
  const settle = (pauseMs: number): void => {
    isReading = false;
    if (!isOpen) return;
    if (isStale) refresh();
    else again = setTimeout(refresh, pauseMs);
  };
  const look = (): Promise<void> => {
    clearTimeout(again);
    isStale = false;
    isReading = true;
    const looking = read();
    looking.then(
      () => settle(repairMs),
      () => settle(AGAIN_MS),
    );
    return looking;
  };
  const refresh = (): void => {
    isStale = true;
    // A failed look-up is retried by its timer.
    if (isOpen && !isReading) look().catch(() => undefined);
  };
  const listening = ports.listen(scope.group_id, (version) => {
    if (!picture || version > picture.rev) refresh();
  });
  const close = (): void => {
    isOpen = false;
    onClose();
    clearTimeout(again);
    void listening.close();
  };
  return { followers, ready: look(), picture: () => picture, close };
}

function seen(group: Watched): GroupPicture {
  const picture = group.picture();
  if (!picture) throw new Error('a followed group without a picture');
  return picture;
}

const formatGroupKey = ({ merchant_id, mode, group_id }: GroupScope): string =>
  `${mode}:${group_id}:${merchant_id}`;
