import type { Mode } from '@gp/contracts';
import { AppError } from '@gp/errors';
import type { HttpHead } from '@gp/http';
import type { ProvenToken } from '@gp/http';
import type { Pace } from '../app/pace.ts';
import type { SessionAccess } from '../app/session-access.ts';

export type Admitted = ProvenToken & { readonly token: string };
export type AdmitSession = (head: HttpHead) => Promise<Admitted>;

/** Returns the merchant, mode and group that a token gives access to. */
export const toScope = ({ claims }: Admitted): { merchant_id: string; mode: Mode; group_id: string } => ({
  merchant_id: claims.mid,
  mode: claims.mode,
  group_id: claims.gp,
});

/** Admits a live token, at the rate that one page needs. Rejects with `unauthorized` and `rate_limited`. */
export function admitSession(o: { access: SessionAccess; pace: Pace }): AdmitSession {
  return async ({ headers }) => {
    const admitted = await o.access.prove(headers.authorization);
    const waitSeconds = o.pace(admitted.claims.jti);
    if (waitSeconds > 0) throw new AppError('rate_limited', { retryAfterSeconds: Math.ceil(waitSeconds) });
    return admitted;
  };
}
