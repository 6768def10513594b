import { pspCodes } from '@gp/gateway-registry';
import { metrics } from '@gp/telemetry';
import {
  findCapture,
  findIntent,
  groupMachine,
  intentMachine,
  type AcceptedDecision,
  type Group,
} from '../../domain/index.ts';

/** Every mode, every gateway, and every gateway in every mode, as the labels of a series. */
export const eachMode = [{ mode: 'test' }, { mode: 'live' }] as const;
export const eachPsp = eachMode.flatMap((labels) => pspCodes.map((psp_code) => ({ ...labels, psp_code })));

const groups = metrics.counter({
  name: 'gp_group_transitions_total',
  help: 'Groups that entered a state',
  unit: 'groups',
  labels: ['mode', 'state'],
  zero: eachMode.flatMap((labels) => groupMachine.statuses.map((state) => ({ ...labels, state }))),
});
const payments = metrics.counter({
  name: 'gp_payment_transitions_total',
  help: 'Payments that entered a state, by gateway',
  unit: 'payments',
  labels: ['mode', 'psp_code', 'state'],
  zero: eachPsp.flatMap((labels) => intentMachine.statuses.map((state) => ({ ...labels, state }))),
});
const captures = metrics.histogram({
  name: 'gp_hold_to_capture_seconds',
  help: 'Time from the hold that completed a group, which is when captures are ordered, to a confirmed capture',
  unit: 'seconds',
  labels: ['psp_code'],
  zero: pspCodes.map((psp_code) => ({ psp_code })),
  // A second is the goal; hours mean that a gateway was away.
  buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800, 7_200, 43_200],
});

/** Counts a group that was made. */
export function countNewGroup(mode: Group['mode']): void {
  groups.inc({ mode, state: groupMachine.initial });
}

/** Counts what a decision that was written did to its group and payments. */
export function countDecision(before: Group, { next, transitions }: AcceptedDecision): void {
  const { mode } = before;
  for (const { entity, entityId, to, trigger, decidedAtMs } of transitions) {
    if (entity === 'group') groups.inc({ mode, state: to });
    if (entity !== 'intent') continue;
    const intent = findIntent(next, entityId);
    if (!intent) continue;
    payments.inc({ mode, psp_code: intent.pspCode, state: to });
    const capture = findCapture(next, intent.id);
    if (capture && trigger === 'confirm_capture')
      captures.observe({ psp_code: intent.pspCode }, (decidedAtMs - capture.requestedAtMs) / 1_000);
  }
}
