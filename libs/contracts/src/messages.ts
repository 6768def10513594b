import type { StreamContract } from './contract.ts';
import { noteKeyUse } from './merchant/dashboard-views.ts';
import { publicEvents } from './events/events.ts';
import { GatewayOperation } from './gateway/gateway.ts';
import { refundProgressed } from './ledger/commands.ts';
import { apiKeyChanged, gatewayChanged, noteKeyExposure } from './merchant/merchant.ts';
import { logoChanged } from './merchant/logo.ts';
import { settingsChanged } from './merchant/settings.ts';
import { outcomeRecorded } from './gateway/outcome.ts';
import { changeTimers, TimerFired } from './time/scheduler.ts';
import { sessionEpochRaised, signingKeysChanged } from './checkout/sessions.ts';
import { endpointFailing } from './webhooks/endpoint-failing.ts';

type Published = Pick<StreamContract<unknown>, 'filters' | 'payload'>;

/** Every message that one of our services publishes, by its subjects. */
export const MESSAGES: readonly Published[] = [
  apiKeyChanged,
  changeTimers,
  endpointFailing,
  gatewayChanged,
  logoChanged,
  noteKeyExposure,
  noteKeyUse,
  outcomeRecorded,
  publicEvents,
  refundProgressed,
  sessionEpochRaised,
  settingsChanged,
  signingKeysChanged,
  { filters: ['cmd.*.payment.*.v1'], payload: GatewayOperation },
  { filters: ['cmd.*.timer.fire.v1'], payload: TimerFired },
];
