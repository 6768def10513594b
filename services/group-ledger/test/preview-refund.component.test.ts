import { expect, it } from '@jest/globals';
import { previewRefund } from '../src/app/refunds/preview-refund.ts';
import { heldGroup, paidGroup } from './groups.ts';
import { scope, useLedger } from './harness.ts';

const ledger = useLedger();

it('a refund is previewed with its payers and its total, and nothing changes', async () => {
  const { id, slots } = await paidGroup(ledger);
  const [first] = slots;
  const ask = previewRefund(ledger.db);
  const whole = await ask({ ...scope, group_id: id });
  expect(whole).toMatchObject({ currency: 'EUR', total_minor: '3000' });
  expect(whole.payments).toHaveLength(3);
  const chosen = await ask({ ...scope, group_id: id, slot_ids: [first!.id] });
  expect(chosen).toMatchObject({
    total_minor: '1000',
    payments: [
      {
        amount_minor: '1000',
        payer_email: `payer${first!.sequence_no}@example.com`,
        slot_ids: [first!.id],
        other_slot_ids: [],
        obstacle: null,
      },
    ],
  });
  expect(await ask({ ...scope, group_id: id })).toEqual(whole);
});

it('a preview is refused like its refund, and for another merchant or mode like an unknown group', async () => {
  const { id, slots } = await heldGroup(ledger, { except: 1 });
  const ask = previewRefund(ledger.db);
  await expect(ask({ ...scope, group_id: id })).rejects.toMatchObject({ code: 'nothing_to_refund' });
  const slot_ids = [slots[0]!.id];
  await expect(ask({ ...scope, group_id: id, slot_ids })).rejects.toMatchObject({
    code: 'slots_not_captured',
    data: { details: slot_ids.map((slot_id) => ({ slot_id })) },
  });
  for (const other of [
    { ...scope, merchant_id: 'm2' },
    { ...scope, mode: 'live' as const },
  ])
    await expect(ask({ ...other, group_id: id })).rejects.toMatchObject({ code: 'not_found' });
});
