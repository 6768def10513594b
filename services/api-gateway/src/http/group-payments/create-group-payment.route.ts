import { publicApi, type GroupView } from '@gp/contracts';
import { AppError } from '@gp/errors';
import { toScope, type Caller } from '../../app/callers/caller.ts';
import { readNewGroup, type NewGroup } from '../../domain/new-group.ts';
import type { Handle } from '../request/endpoint.ts';
import { buildRefusal } from '../request/faults.ts';
import { answerOnce } from '../request/idempotency.ts';
import type { RouteParts } from '../route-parts.ts';
import { bodyReader } from '../request/validator.ts';

const read = bodyReader(publicApi.CreateGroupPaymentRequest);

const locate = (created: unknown): string =>
  `/v1/group-payments/${(created as { group_payment: { id: string } }).group_payment.id}`;

/** POST /v1/group-payments */
export function createGroupPayment({ once, services, views, findOrganiserRights }: RouteParts): Handle {
  /** The merchant's setting counts where the request does not mention an organiser; the group keeps what it gave (Q83). */
  const findUsualOrganiser = async (caller: Caller) => {
    const may = await findOrganiserRights(caller);
    return may.length > 0 ? { organiser: { may: [...may], latest_expires_at: null } } : {};
  };
  return async (request, caller) => {
    const body = read(request);
    const wanted = readNewGroup(body);
    if ('faults' in wanted) throw buildRefusal(wanted.faults);
    return answerOnce(once, { request, caller, body: body.exact, locate }, async (identity) => {
      const usual = body.plain.organiser === undefined ? await findUsualOrganiser(caller) : {};
      const created = await services.createGroup({
        ...identity,
        ...toScope(caller),
        ...wanted.group,
        ...usual,
      });
      refuseLostMinimum(wanted.group, created.group);
      return { status: 201, body: views.full(created) };
    });
  };
}

/** A ledger of the release before the minimum stores the group without it: its payers would be promised another end (Q90). */
function refuseLostMinimum(wanted: NewGroup, created: GroupView): void {
  if (wanted.capture_minimum === undefined || created.capture_minimum !== undefined) return;
  throw new AppError(
    'service_unavailable',
    {},
    { cause: new Error('the ledger stored a group without its minimum') },
  );
}
