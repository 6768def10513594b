import { OneOf, publicApi, type Mode } from '@gp/contracts';
import type { Route } from '@gp/http';
import Type from '@gp/bundled/typebox';
import { closed } from '../../app/input/input.ts';
import type { WebParts } from '../../app/ports.ts';
import { queryReader } from '../../app/input/reader.ts';
import { recordDownload } from '../../app/team/record-download.ts';
import type { BalancePage, StatementPage } from '../api.ts';
import { guards, type Member } from '../request/guards.ts';
import { answerWithFile } from '../request/list-file.ts';
import { perMode, toScope } from '../request/per-mode.ts';
import { asCsv, asJson } from './money.export.ts';
import { balanceView, statementView } from './money.view.ts';

const period = publicApi.GetStatementQuery.properties;
const readPeriod = queryReader(Type.Object(period, closed));
const readExport = queryReader(Type.Object({ ...period, format: OneOf(['csv', 'json']) }, closed));

/** Routes of a mode's balance and statements, and of statements as files. */
export function moneyRoutes({ db, services, downloads }: WebParts): Route[] {
  const record = recordDownload(db);
  const { allowed } = guards(db);
  const find = async (
    member: Member,
    mode: Mode,
    asked: publicApi.GetStatementQuery,
  ): Promise<StatementPage> => {
    const found = await services.findStatement({ ...toScope(member, mode), ...asked, skip: 0 });
    const { from, to, time_zone, statements, is_final = false } = found;
    return { from, to, time_zone, is_final, statements: statements.map(statementView) };
  };
  return perMode(({ mode, at }) => [
    allowed('read', ['GET', at('balance')], async (_request, member) => {
      const { balances } = await services.findBalance(toScope(member, mode));
      return { status: 200, body: { balances: balances.map(balanceView) } satisfies BalancePage };
    }),
    allowed('read', ['GET', at('statement')], async ({ query }, member) => ({
      status: 200,
      body: await find(member, mode, readPeriod(query)),
    })),
    allowed('read', ['GET', at('statement/export')], async ({ query, signal }, member) => {
      const { format, ...asked } = readExport(query);
      downloads.begin(member.merchantId, signal);
      const statement = await find(member, mode, asked);
      const { from, to, time_zone } = statement;
      // A day has other movements in another time zone: its files lie side by side.
      const name = `statement-${mode}-${from}-${to}-${time_zone.replaceAll('/', '-')}.${format}`;
      await record(member, name);
      const lines = format === 'csv' ? asCsv(statement) : asJson(statement, mode === 'test');
      return answerWithFile(name, format, asStream(lines));
    }),
  ]);
}

/** The body of a response that is sent piece by piece. */
async function* asStream(lines: Iterable<string>): AsyncGenerator<string> {
  yield* lines;
}
