import type { CommandOf, createGroup as contract } from '@gp/contracts';
import { AppError } from '@gp/errors';
import { uuidv7 } from 'uuidv7';
import type { NewGroupRow } from '../../db/group/create-groups.ts';
import { groupRow, slotRow, toOrganiser } from '../../db/group/group.row.ts';
import { createGroup, type CaptureMinimum, type GroupDecision } from '../../domain/index.ts';
import { toDistribution, orNull, readSlotTexts } from './distribution.ts';
import { newLinkToken, type NewNames } from './new-names.ts';
import { timerInstructions } from '../timers/timer-instructions.ts';

type CreateCommand = CommandOf<typeof contract>;
type NewGroup = Extract<GroupDecision, { kind: 'accepted' }>;

/** Decides a new group and writes it down as rows. Throws validation_error naming the field. */
export function newGroupRow(
  command: CreateCommand,
  o: { unitMinor: bigint; names: NewNames; nowMs: number; traceparent: string | undefined },
): NewGroupRow {
  const { next: group, effects } = decideCreate(command, o);
  const { group_name, client_reference = null, metadata } = command;
  const traceparent = o.traceparent ?? null;
  const row = groupRow(group, {
    group_name,
    client_reference,
    metadata: orNull(metadata),
    traceparent,
    organiser_token: group.organiser && newLinkToken(Date.now()),
    ...o.names(Date.now()),
  });
  const readTexts = readSlotTexts(command.distribution);
  return {
    commandId: command.command_id,
    fingerprint: command.fingerprint,
    group: row,
    slots: group.slots.map((slot, index) => slotRow(slot, readTexts(index), row.created_at)),
    timers: timerInstructions(group, effects),
  };
}

function toMinimum(minimum: CreateCommand['capture_minimum']): CaptureMinimum | null {
  if (minimum === undefined) return null;
  return 'slots' in minimum
    ? { unit: 'slots', count: minimum.slots }
    : { unit: 'amount', minor: BigInt(minimum.amount_minor) };
}

function decideCreate(
  command: CreateCommand,
  { unitMinor, nowMs }: { unitMinor: bigint; nowMs: number },
): NewGroup {
  const decision = createGroup(
    {
      id: uuidv7(),
      merchantId: command.merchant_id,
      mode: command.mode,
      currency: command.currency,
      totalMinor: BigInt(command.total_minor),
      expiresAtMs: Date.parse(command.expires_at),
      distribution: toDistribution(command.distribution, unitMinor),
      organiser: command.organiser ? toOrganiser(command.organiser) : null,
      captureMinimum: toMinimum(command.capture_minimum),
      maxTipMinor: command.max_tip_minor === undefined ? null : BigInt(command.max_tip_minor),
    },
    { nowMs, newId: uuidv7 },
  );
  if (decision.kind === 'accepted') return decision;
  if (decision.kind === 'ignored') throw new AppError('internal_error');
  const { code, kind: _kind, ...data } = decision;
  throw new AppError(code, data);
}
