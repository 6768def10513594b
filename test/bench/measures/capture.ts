import { openApi, booksShow, inSeconds, newGroup, payer, paySlot } from '../../support/journey.ts';
import { round, type Figure } from '../ratios.ts';
import type { Bench } from '../bench.ts';

const GROUPS = 25;

/** From the last hold to the first capture call (L3), by the gateway's own clock; and how late an expiry shows (L4). */
export async function measureCapture({ stack, merchant, say }: Bench): Promise<Figure[]> {
  const api = openApi(stack, merchant);
  const starts: number[] = [];
  for (let index = 0; index < GROUPS; index++) {
    const group = await newGroup(api, 1);
    const pay = await paySlot(stack, api, group, 0, payer(`hold${index}`));
    const booked = await booksShow(stack, pay, 'captured');
    const at = (operation: string) =>
      Date.parse(booked.calls.find((call) => call.operation === operation)?.at ?? '');
    starts.push(at('capture') - at('authorise'));
  }
  const lateness: number[] = [];
  const expiring = await Promise.all(
    Array.from({ length: GROUPS }, () => newGroup(api, 1, { expires_at: inSeconds(3) })),
  );
  await Promise.all(
    expiring.map(async ({ group_payment }) => {
      await api.becomes(group_payment.id, ['expired'], 30_000);
      lateness.push(Date.now() - Date.parse(group_payment.expires_at));
    }),
  );
  starts.sort((a, b) => a - b);
  lateness.sort((a, b) => a - b);
  const capture = starts.at(-1) ?? NaN;
  const late = lateness.at(-1) ?? NaN;
  say(`slowest of ${GROUPS}: capture after ${capture} ms, expiry seen after ${late} ms`);
  return [
    {
      id: 'deadlines',
      what: `last hold → first capture call; expiry time → expired visible (slowest of ${GROUPS})`,
      value: `${round(capture / 1000)} s; ${round(late / 1000)} s`,
      goal: '≤1 s; ≤5 s',
      reached: capture <= 1_000 && late <= 5_000,
      detail: {
        capture_ms_median: starts[Math.floor(GROUPS / 2)] ?? NaN,
        expiry_ms_median: lateness[Math.floor(GROUPS / 2)] ?? NaN,
      },
    },
  ];
}
