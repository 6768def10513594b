import type { StreamContract } from './contract.ts';
import { noteKeyUse } from './dashboard-views.ts';
import { publicEvents } from './events.ts';
import { GatewayOperation } from './gateway.ts';
import { refundProgressed } from './ledger.ts';
import { apiKeyChanged, gatewayChanged, noteKeyExposure, originsChanged } from './merchant.ts';
import { outcomeRecorded } from './outcome.ts';
import { changeTimers, TimerFired } from './scheduler.ts';
import { sessionEpochRaised, signingKeysChanged } from './sessions.ts';

type Published = Pick<StreamContract<unknown>, 'filters' | 'payload'>;

/** Every message that one of our services publishes, by its subjects. */
export const MESSAGES: readonly Published[] = [
  apiKeyChanged,
  changeTimers,
  gatewayChanged,
  noteKeyExposure,
  noteKeyUse,
  originsChanged,
  outcomeRecorded,
  publicEvents,
  refundProgressed,
  sessionEpochRaised,
  signingKeysChanged,
  { filters: ['cmd.*.payment.*.v1'], payload: GatewayOperation },
  { filters: ['cmd.*.timer.fire.v1'], payload: TimerFired },
];
