import type { previewRefund as contract, RequestOf, ResponseOf } from '@gp/contracts';
import { notFound } from '@gp/errors';
import type { Db } from '@gp/pg';
import { loadGroup } from '../../db/group/load-group.ts';
import { listPayments } from '../../db/lookups/describe-group.ts';
import { computeKeptTipMinor, previewRefund as preview, type Intent } from '../../domain/index.ts';
import { toError, toScope } from '../change/change-group.ts';

type Contract = typeof contract;

/** Returns the payments that a refund would cover, as the ledger would decide now; not_found like `findGroup`. */
export function previewRefund(db: Db): (r: RequestOf<Contract>) => Promise<ResponseOf<Contract>> {
  return async (request) => {
    const loaded = await loadGroup(db, { groupId: request.group_id, scope: toScope(request) });
    if (!loaded) throw notFound('group payment');
    const hit = preview(loaded.group, request.slot_ids ?? null);
    if ('code' in hit) throw toError(hit);
    const payments = await listPayments(db, loaded.group.id);
    const emailOf = new Map(payments.map(({ id, email }) => [id, email]));
    const sent = hit.filter(({ failure }) => failure === undefined);
    return {
      currency: loaded.group.currency,
      total_minor: String(sent.reduce((sum, { amountMinor }) => sum + amountMinor, 0n)),
      payments: hit.map(({ intent, amountMinor, otherSlotIds, failure }) => ({
        intent_id: intent.id,
        psp_code: intent.pspCode,
        amount_minor: String(amountMinor),
        ...tipView(intent),
        payer_email: emailOf.get(intent.id) ?? '',
        slot_ids: [...intent.slotIds],
        other_slot_ids: [...otherSlotIds],
        obstacle: failure?.message ?? null,
      })),
    };
  };
}

function tipView(intent: Intent): { tip_minor?: string } {
  const minor = computeKeptTipMinor(intent);
  return minor > 0n ? { tip_minor: String(minor) } : {};
}
