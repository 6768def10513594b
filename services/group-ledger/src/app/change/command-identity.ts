import { AppError } from '@gp/errors';
import type { Loaded, StoredCommand } from '../../db/group/load-group.ts';
import type { CommandToStore } from '../../db/group/decision.row.ts';

type Identified = {
  readonly command_id: string;
  readonly fingerprint: string;
  readonly group_id: string;
};

/**
 * Returns what an earlier run of this command made, or null. Throws idempotency_key_reused when the id
 * stands for another input (Q12).
 */
export function earlierRun({ command }: Loaded, request: Identified): StoredCommand | null {
  if (command === null) return null;
  const isSame = command.fingerprint === request.fingerprint && command.group_id === request.group_id;
  if (!isSame) throw new AppError('idempotency_key_reused');
  return command;
}

/** The command as it is stored with what it made. */
export function commandToStore(
  { command_id, fingerprint }: Identified,
  made: { intentId?: string; refundId?: string } = {},
): CommandToStore {
  const { intentId = null, refundId = null } = made;
  return { id: command_id, fingerprint, intentId, refundId };
}
