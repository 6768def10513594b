import type { GroupView, publicApi } from '@gp/contracts';
import { AppError } from '@gp/errors';
import { toScope, type Caller } from '../../app/callers/caller.ts';
import type { RouteParts } from '../route-parts.ts';
import { paymentListView } from './payment.view.ts';

/** The most payments shown of each group: those of a page of `GET …/payments` that names no limit. */
const MOST_PAYMENTS = 20;

type Query = Pick<publicApi.GetGroupPaymentQuery, 'expand'>;
type Expanded = { readonly payments?: ReturnType<ReturnType<typeof paymentListView>> };

/**
 * Returns a function that reads what `expand` names of groups: for each group the fields to add to it, in their order. The
 * payments of all groups take one call. Payments name payers, so a session token gets `insufficient_scope`.
 */
export function expandPayments({ services, seal }: Pick<RouteParts, 'services' | 'seal'>) {
  const view = paymentListView(seal);
  return async (
    caller: Caller,
    { expand = [] }: Query,
    groups: readonly GroupView[],
  ): Promise<readonly Expanded[]> => {
    if (!expand.includes('payments') || groups.length === 0) return groups.map(() => ({}));
    if (caller.kind === 'session_token')
      throw new AppError('insufficient_scope', { message: 'a session token cannot expand payments' });
    const group_ids = groups.map(({ id }) => id);
    const pages = await services.listPaymentsOfGroups({
      ...toScope(caller),
      group_ids,
      limit: MOST_PAYMENTS,
    });
    return groups.map((group, index) => {
      const page = pages.groups[index] ?? { payments: [], next: null };
      return { payments: view(caller, group, { ...page, limit: MOST_PAYMENTS }) };
    });
  };
}
