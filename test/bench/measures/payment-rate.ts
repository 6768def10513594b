import type { Bench } from '../bench.ts';
import { cpuSeconds } from '../cpu.ts';
import { measureRates, openTills } from '../load/pay.ts';
import { computeSpread, round, type Figure } from '../ratios.ts';

const MERCHANTS = 10;
const PAYERS = 24;

/**
 * P6-rate: whole payments of one slot a second, over many merchants of one gateway, with payers that never pause. The
 * machine plays the payers, the merchants' endpoints and the gateway, too.
 */
export async function measurePaymentRate({ stack, own, rounds, seconds, say }: Bench): Promise<Figure[]> {
  const merchants = await own.opened.newMerchants(Array.from({ length: MERCHANTS }, () => 'gateway_a'));
  const tills = await openTills(stack, merchants);
  const [before, startedAt] = [await cpuSeconds(stack), performance.now()];
  const rates = await measureRates(tills, { payers: PAYERS, rounds, seconds, say });
  const cores = ((await cpuSeconds(stack)) - before) / ((performance.now() - startedAt) / 1_000);
  say(`${round(cores)} cores of this machine in the stack's processes`);
  await tills.close();
  const { median, min, max } = computeSpread(rates);
  return [
    {
      id: 'P6-rate',
      what: `whole payments of one slot a second over ${MERCHANTS} merchants, ${PAYERS} payers at once; payers, endpoints and gateway on the same machine`,
      value: `${round(median, 1)}/s (${round(min, 1)}–${round(max, 1)})`,
      goal: '≥50/s',
      reached: median >= 50,
      detail: { per_second: round(median, 1), cores: round(cores) },
    },
  ];
}
