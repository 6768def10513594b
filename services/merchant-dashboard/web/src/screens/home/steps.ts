import type { Permission, Setup } from '../../../../src/http/api.ts';
import type { Mode } from '../../shell/mode.ts';
import { permissionFor } from '../../shell/permissions.ts';

export type Step = {
  readonly title: string;
  readonly why: string;
  readonly isDone: boolean;
  readonly path: string;
  readonly action: string;
  /** The permission that the step needs. Members without it read whom to ask. */
  readonly permission: Permission;
};

/** The page on which a group payment is made by hand. */
export const NEW_PAYMENT = 'group-payments/new';

type Done = Pick<Setup, 'active_gateway' | 'has_key' | 'has_webhook' | 'has_group_payment'>;

/**
 * Returns the steps to a first payment of a mode, in order; whether one is done follows from the merchant's actual
 * state.
 */
export function listSteps(done: Done, mode: Mode): Step[] {
  const isTest = mode === 'test';
  const gateway: Step = {
    title: 'Connect a gateway',
    why: isTest
      ? 'The payment gateway that holds and captures the cards; in test mode the sandbox plays it.'
      : 'The payment gateway that holds and captures the cards, with your own contract.',
    isDone: done.active_gateway !== null,
    path: 'gateways',
    action: isTest ? 'Choose a gateway' : 'Connect',
    permission: permissionFor('gateways', mode),
  };
  const key: Step = {
    title: 'Create an API key',
    why: `Your server proves with it who it is. ${isTest ? 'Test' : 'Live'} keys begin with sk_${mode}_.`,
    isDone: done.has_key,
    path: 'keys',
    action: 'Create a key',
    permission: permissionFor('keys', mode),
  };
  const webhook: Step = {
    title: 'Add a webhook endpoint',
    why: 'An address of your server that is told when a group has paid.',
    isDone: done.has_webhook,
    path: 'webhooks',
    action: 'Add endpoint',
    permission: 'webhooks.manage',
  };
  const payment: Step = {
    title: isTest ? 'Create a first group payment' : 'Take a first group payment',
    why: isTest
      ? 'From here, without code: open its checkout page and pay it with a sandbox card.'
      : 'From your server, with your live key, or by hand under Group payments.',
    isDone: done.has_group_payment,
    path: isTest ? NEW_PAYMENT : 'quick-start',
    action: isTest ? 'Create one' : 'See how',
    permission: isTest ? permissionFor('payments', mode) : 'read',
  };
  // A payment in test mode needs no code of the merchant; one in live mode needs all of it.
  return isTest ? [gateway, payment, key, webhook] : [gateway, key, webhook, payment];
}
