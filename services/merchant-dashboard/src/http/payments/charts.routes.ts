import { compressAnswer, type HttpHead, type HttpResponse, type Route } from '@gp/http';
import type { ResponseOf, sumAttempts, sumMoney } from '@gp/contracts';
import Type from '@gp/bundled/typebox';
import { closed } from '../../app/input/input.ts';
import type { WebParts } from '../../app/ports.ts';
import { queryReader } from '../../app/input/reader.ts';
import { daysUntil } from '../../domain/instant.ts';
import { moneyView } from '../../domain/money-view.ts';
import type { MoneyChart, WebhookChart } from '../api.ts';
import { guards } from '../request/guards.ts';
import { perMode, toScope } from '../request/per-mode.ts';

const days = (maximum: number) =>
  queryReader(Type.Object({ days: Type.Optional(Type.Integer({ minimum: 1, maximum })) }, closed));
const readMoney = days(92);
const readWebhooks = days(30);
const MONTH = 30;
const WEEK = 7;

/** Routes with the data of charts: money over time, and results of webhook deliveries. */
export function chartRoutes({ db, services }: WebParts): Route[] {
  const { allowed } = guards(db);
  return perMode(({ mode, at }) => [
    allowed('read', ['GET', at('charts/money')], async (request, member) => {
      const { days: span = MONTH } = readMoney(request.query);
      const sums = await services.sumMoney({ ...toScope(member, mode), days: span });
      return answerWithChart(request, moneyChart(sums, span));
    }),
    allowed('read', ['GET', at('charts/webhooks')], async (request, member) => {
      const { days: span = WEEK } = readWebhooks(request.query);
      const sums = await services.sumAttempts({ ...toScope(member, mode), days: span });
      return answerWithChart(request, webhookChart(sums, span));
    }),
  ]);
}

/**
 * A chart of several currencies weighs as much as a script of the page, and compressed a tenth of it. It repeats nothing of the
 * request but the number of days.
 */
const answerWithChart = (head: HttpHead, chart: MoneyChart | WebhookChart): Promise<HttpResponse> =>
  compressAnswer(head, {
    status: 200,
    contentType: 'application/json; charset=utf-8',
    body: JSON.stringify(chart),
  });

type Sums = ResponseOf<typeof sumMoney>;
type Sum = Pick<Sums['sums'][number], 'held_minor' | 'captured_minor' | 'refunded_minor'>;
const NOTHING: Sum = { held_minor: '0', captured_minor: '0', refunded_minor: '0' };

/** Includes every day, so that a line also passes through the days without any movement. */
function moneyChart({ now, sums, groups }: Sums, span: number): MoneyChart {
  const period = daysUntil(now, span);
  const byCurrency = Map.groupBy(sums, ({ currency }) => currency);
  const currencies = [...byCurrency].map(([currency, moved]) => {
    const onDay = new Map(moved.map((sum) => [sum.day, sum]));
    const shown = period.map((day) => onDay.get(day) ?? NOTHING);
    return {
      currency,
      days: shown.map((sum, index) => ({ day: period[index] ?? '', ...toSums(sum, currency) })),
      totals: toSums(shown.reduce(added, NOTHING), currency),
    };
  });
  return { now, currencies, groups };
}

function added(a: Sum, b: Sum): Sum {
  const plus = (name: keyof Sum) => String(BigInt(a[name]) + BigInt(b[name]));
  return {
    held_minor: plus('held_minor'),
    captured_minor: plus('captured_minor'),
    refunded_minor: plus('refunded_minor'),
  };
}

function toSums(sum: Sum, currency: string) {
  return {
    held: moneyView(sum.held_minor, currency),
    captured: moneyView(sum.captured_minor, currency),
    refunded: moneyView(sum.refunded_minor, currency),
  };
}

function webhookChart({ now, days: sums }: ResponseOf<typeof sumAttempts>, span: number): WebhookChart {
  const onDay = new Map(sums.map((sum) => [sum.day, sum]));
  return {
    days: daysUntil(now, span).map((day) => {
      const { acknowledged, failed } = onDay.get(day) ?? { acknowledged: 0, failed: 0 };
      const all = acknowledged + failed;
      return { day, acknowledged, failed, success_rate: all === 0 ? null : acknowledged / all };
    }),
  };
}
