import { LONGEST_AMOUNT, type RequestOf, type publicApi, type startPayment } from '@gp/contracts';
import { validationError } from '@gp/errors';
import type { Body } from '../../domain/exact.ts';

type Wish = Pick<publicApi.PayRequest, 'tip'>;

/** Returns the tip of a pay request as the payer's client wrote it: only the ledger knows the currency of the group. */
export function readTip({ exact }: Body<Wish>): Pick<RequestOf<typeof startPayment>, 'tip'> {
  if (exact.tip === undefined) return {};
  const { source: tip } = exact.tip;
  if (tip.length > LONGEST_AMOUNT) throw validationError('tip', 'must be a plain number');
  return { tip };
}
