import type { Bus } from '@gp/bus';
import { clientNames } from './app/limits/client-names.ts';
import { declineGuard } from './app/limits/decline-guard.ts';
import { rateLimits } from './app/limits/rate-limits.ts';
import { shareLimits } from './bus/limit-notes.ts';
import { admission, clientNoting, paymentAdmission } from './http/request/admission.ts';
import { guardRulesOf, ratesOf, type LimitSettings } from './limits.config.ts';

/**
 * Builds the limits on callers: the checks for routes, and the loop that exchanges counts with other replicas.
 * `now` is monotonic, ms.
 */
export function limitsOf(
  settings: LimitSettings & { readonly apiKeyPepper: string },
  bus: Bus,
  now: () => number = () => performance.now(),
) {
  const limits = rateLimits(ratesOf(settings), now);
  const guard = declineGuard(guardRulesOf(settings), now);
  const clientOf = clientNames(settings.apiKeyPepper);
  const { hearing, loop } = shareLimits(bus, { limits, guard });
  return {
    admit: admission({ limits, guard, clientOf }),
    admitPayment: paymentAdmission({ guard }),
    noteClient: clientNoting({ guard, clientOf }),
    sharing: loop,
    hearing,
  };
}
