import { failureClass } from '@gp/telemetry';
import { RefusedMailError, UncertainMailError } from './mail.ts';

/** Returns for a log the code of a failure and the reply code of the mail server, if it replied. */
export function describeFailure(error: unknown): { readonly code: string; readonly provider_code?: string } {
  const isOurs = error instanceof RefusedMailError || error instanceof UncertainMailError;
  const cause = isOurs ? error.cause : error;
  const { responseCode } = (cause ?? {}) as { readonly responseCode?: number };
  return {
    code: failureClass(cause),
    ...(responseCode !== undefined && { provider_code: String(responseCode) }),
  };
}
