import type { GroupWithSlots, Mode } from '@gp/contracts';
import { newer, newsBetween, pictureOf, type GroupPicture } from '../domain/picture.ts';

export type GroupScope = { readonly merchant_id: string; readonly mode: Mode; readonly group_id: string };

/** One follower's hold on a group; `leave` gives it back and may be called again. */
export type Following = {
  /** The newest picture known. */
  picture(): GroupPicture;
  leave(): void;
};

export type LiveGroups = {
  /** Follows a group: `onNews` is called, without more, whenever there is another picture. Rejects as looking it up does. */
  follow(scope: GroupScope, onNews: () => void): Promise<Following>;
  /** The picture to answer now, without asking the ledger where somebody follows the group anyway. */
  look(scope: GroupScope): Promise<GroupPicture>;
};

type Ports = {
  find(scope: GroupScope): Promise<GroupWithSlots>;
  /** Hears that a group has changed, and at which version it is now. */
  listen(groupId: string, onChange: (version: number) => void): { close(): Promise<void> };
};

/** News may get lost on their way: every followed group is looked at this often, whatever was heard. */
const REPAIR_MS = 60_000;
/** After a look-up that failed. */
const AGAIN_MS = 1_000;

type Watched = {
  readonly followers: Set<() => void>;
  /** Once the first picture is there. */
  readonly ready: Promise<void>;
  picture(): GroupPicture | undefined;
  close(): void;
};

/**
 * Knows the groups that somebody looks at, however many do: one subscription and one look-up for each change. A group
 * that nobody looks at any more is forgotten.
 */
export function liveGroups(ports: Ports, o: { repairMs?: number } = {}): LiveGroups {
  const watched = new Map<string, Watched>();

  const watch = (scope: GroupScope): Watched => {
    const key = keyOf(scope);
    const known = watched.get(key);
    if (known) return known;
    const made = watchGroup(ports, scope, o.repairMs ?? REPAIR_MS, () => watched.delete(key));
    watched.set(key, made);
    return made;
  };

  return {
    async follow(scope, onNews) {
      const group = watch(scope);
      // A callback of its own, so that one that is given twice counts twice.
      const follower = (): void => onNews();
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
    look: async (scope) => watched.get(keyOf(scope))?.picture() ?? pictureOf(await ports.find(scope)),
  };
}

/** Subscribes first and looks then: a change in between is heard. One look at a time, and one more when it was overtaken. */
function watchGroup(ports: Ports, scope: GroupScope, repairMs: number, forget: () => void): Watched {
  const followers = new Set<() => void>();
  let isOpen = true;
  let isStale = false;
  let isReading = false;
  let again: NodeJS.Timeout | undefined;
  let picture: GroupPicture | undefined;

  const read = async (): Promise<void> => {
    const before = picture;
    picture = newer(before, pictureOf(await ports.find(scope)));
    if (before && newsBetween(before, picture)) for (const tell of followers) tell();
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
    // A look that fails is made again by itself.
    if (isOpen && !isReading) look().catch(() => undefined);
  };
  const listening = ports.listen(scope.group_id, (version) => {
    if (!picture || version > picture.rev) refresh();
  });
  const close = (): void => {
    isOpen = false;
    forget();
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

const keyOf = ({ merchant_id, mode, group_id }: GroupScope): string => `${mode}:${group_id}:${merchant_id}`;
