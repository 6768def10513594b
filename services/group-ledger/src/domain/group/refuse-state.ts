import type { GroupState } from '@gp/contracts';
import type { CommandResult, Refusal } from '../decision.ts';
import type { Group } from './group.ts';

/** What can still be done with a group in each state, for the reader of a refusal. */
const REMEDIES: Readonly<Record<GroupState, string>> = {
  draft: 'it is not open yet',
  open: 'it collects payments and can be cancelled',
  partially_preauthorised: 'it collects payments and can be cancelled',
  preauthorised: 'every slot is held, and the captures begin now',
  capturing: 'its payments are being captured; what is captured can be refunded',
  partially_paid: 'part of it is captured; a refund gives captured money back',
  paid: 'a refund gives the money back',
  capture_failed: 'no money was taken; create a new group payment',
  refunding: 'wait for the end of the refund that is running',
  partially_refunded: 'a refund gives the rest back',
  refunded: 'all money was given back; create a new group payment',
  refund_failed: 'captured money can be refunded again, where the gateway takes refunds',
  expired: 'its holds are released and nobody is charged; create a new group payment',
  cancelled: 'its holds are released and nobody is charged; create a new group payment',
};

/**
 * Refuses a command that a group takes only while it collects; the hint names the state and what can be done in it.
 * `otherwise` replaces the catalogue's sentence about a payment where the command is another one.
 */
export function refuseState(
  group: Group,
  otherwise: { readonly message?: string; readonly more?: string } = {},
): Extract<CommandResult, { kind: 'rejected' }> {
  const hint = `${describeState(group)}${otherwise.more ?? ''}`;
  if (group.expiredAtMs !== null) return { kind: 'rejected', code: 'group_expired', hint };
  const { message } = otherwise;
  return { kind: 'rejected', code: 'group_not_payable', hint, ...(message !== undefined && { message }) };
}

/** Refuses a refund of what holds no captured money; the hint names the payments that were refunded already. */
export function refuseRefund(group: Group, refundedIds: readonly string[]): Refusal {
  const hint =
    refundedIds.length === 0
      ? describeState(group)
      : `refunded already: ${refundedIds.length === 1 ? 'payment' : 'payments'} ${refundedIds.join(', ')}`;
  return { code: 'nothing_to_refund', hint };
}

const describeState = ({ state }: Group): string =>
  `the state of the group payment is ${state}: ${REMEDIES[state]}`;
