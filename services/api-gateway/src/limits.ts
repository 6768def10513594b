import type { Bus } from '@gp/bus';
import { createClientNamer, createPayerNamer } from './app/limits/name-client.ts';
import { declineGuard } from './app/limits/decline-guard.ts';
import { openStreams } from './app/limits/open-streams.ts';
import { rateLimits } from './app/limits/rate-limits.ts';
import { shareLimits } from './bus/limit-notes.ts';
import {
  admission,
  payerAdmission,
  paymentAdmission,
  paymentNoting,
  streamAdmission,
} from './http/request/admission.ts';
import { toGuardRules, toRates, type LimitSettings } from './limits.config.ts';

/**
 * Builds the limits on callers: the checks for routes, and the loop that exchanges counts with other replicas.
 * `now` is monotonic, ms.
 */
export function openLimits(
  settings: LimitSettings & { readonly apiKeyPepper: string },
  bus: Bus,
  now: () => number = () => performance.now(),
) {
  const limits = rateLimits(toRates(settings), now);
  const guard = declineGuard(toGuardRules(settings), now);
  const nameClient = createClientNamer(settings.apiKeyPepper);
  const namePayer = createPayerNamer(settings.apiKeyPepper);
  const streams = openStreams({
    most: settings.eventStreams,
    perMerchant: settings.eventStreamsPerMerchant,
  });
  const { listeners, loop } = shareLimits(bus, { limits, guard });
  return {
    admit: admission({ limits, guard, nameClient }),
    admitPayment: paymentAdmission({ guard }),
    admitPayer: payerAdmission({ guard, namePayer }),
    notePayment: paymentNoting({ guard, nameClient, namePayer }),
    admitStream: streamAdmission({ streams }),
    sharing: loop,
    listeners,
  };
}
