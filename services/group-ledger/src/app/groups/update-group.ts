import { isDeepStrictEqual } from 'node:util';
import type { RequestOf, ResponseOf, updateGroup as contract } from '@gp/contracts';
import type { GroupJson } from '../../db/group/group.row.ts';
import { changeGroup, toScope, type LedgerParts } from '../change/change-group.ts';
import { commandToStore, earlierRun } from '../change/command-identity.ts';
import { orNull } from './distribution.ts';
import { findGroup } from './find-groups.ts';

type Contract = typeof contract;
type Names = Pick<GroupJson, 'group_name' | 'metadata'>;

/**
 * Changes the name, metadata or expiry of a group in one decision, all or nothing. An update that ran before, or that
 * changes nothing, gets the group as it is now (C9).
 */
export function updateGroup(parts: LedgerParts): (r: RequestOf<Contract>) => Promise<ResponseOf<Contract>> {
  const show = findGroup(parts.db);
  return async (request) => {
    const { expires_at } = request;
    await changeGroup(parts, {
      step: 'update',
      actor: request.actor,
      groupId: request.group_id,
      scope: toScope(request),
      commandId: request.command_id,
      command: (loaded) =>
        earlierRun(loaded, request)
          ? undefined
          : {
              type: 'update',
              expiresAtMs: expires_at === undefined ? null : Date.parse(expires_at),
              changesNames: !isDeepStrictEqual(applyTo(loaded.row, request), pickNames(loaded.row)),
            },
      beside: ({ row }) => ({ command: commandToStore(request), names: applyTo(row, request) }),
    });
    return show(request);
  };
}

/** Returns the names of a group after the update. */
function applyTo(row: Names, { group_name, metadata }: RequestOf<Contract>): Names {
  return {
    group_name: group_name ?? row.group_name,
    metadata: metadata === undefined ? row.metadata : orNull(metadata),
  };
}

const pickNames = ({ group_name, metadata }: Names): Names => ({ group_name, metadata });
