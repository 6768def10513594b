import type { SessionEpoch } from '@gp/contracts';
import type { Db } from '@gp/pg';
import { findEpochs } from '../../db/session-epochs.ts';
import { directory, type Directory } from './directory.ts';

/** Enough for the groups whose payers come at the same time, with a margin. Some 200 bytes each. */
const MOST_GROUPS = 20_000;

/** Epochs of groups by the group's id; nearly every group has none, which is epoch 0. */
export type EpochDirectory = Directory<SessionEpoch>;

export function epochDirectory(o: { db: Db; now?: () => number }): EpochDirectory {
  return directory<SessionEpoch>({
    load: (groupIds) => findEpochs(o.db, groupIds),
    readKey: ({ group_id }) => group_id,
    readRevision: ({ epoch }) => epoch,
    // A higher epoch ends the tokens of lower ones.
    takesAway: () => true,
    cachesAbsence: true,
    most: MOST_GROUPS,
    now: o.now,
  });
}
