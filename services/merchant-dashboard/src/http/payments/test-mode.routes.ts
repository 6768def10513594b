import { publicApi, PspCode, type TestClockView } from '@gp/contracts';
import type { Route } from '@gp/http';
import Type from '@gp/bundled/typebox';
import { closed, readEmpty } from '../../app/input/input.ts';
import type { WebParts } from '../../app/ports.ts';
import { reader } from '../../app/input/reader.ts';
import { connectSandbox } from '../../app/payments/connect-sandbox.ts';
import { notedRequest } from '../../app/team/audit.ts';
import { freshIdentity } from '../../app/payments/command.ts';
import type { TestClock } from '../api.ts';
import { readBody, readOptionalBody } from '../request/body.ts';
import { guards } from '../request/guards.ts';
import { gatewayView } from '../settings/views.ts';

const readAdvance = reader(publicApi.AdvanceTestClockRequest);
const readSandbox = reader(Type.Object({ psp_code: PspCode }, closed));

/** Routes that exist in test mode alone: the test clock, and ways to try the platform. */
export function testModeRoutes(parts: WebParts): Route[] {
  const { db, services } = parts;
  const { allowed, proved } = guards(db);
  const note = notedRequest(db);
  const connect = connectSandbox(parts);
  return [
    allowed('read', ['GET', '/api/test/clock'], async (_request, { merchantId }) => ({
      status: 200,
      body: clockView(await services.findTestClock({ merchant_id: merchantId })),
    })),
    allowed('test.manage', ['POST', '/api/test/clock/advance'], async (request, member) => {
      const { seconds } = readBody(request, readAdvance);
      await note(member, 'test_clock.advance_requested', { mode: 'test', seconds });
      const moved = await services.advanceTestClock({
        ...freshIdentity(),
        merchant_id: member.merchantId,
        seconds,
      });
      return { status: 200, body: clockView(moved) };
    }),
    allowed('test.manage', ['POST', '/api/test/clock/reset'], async (request, member) => {
      readOptionalBody(request, readEmpty);
      await note(member, 'test_clock.reset_requested', { mode: 'test' });
      const moved = await services.resetTestClock({ merchant_id: member.merchantId });
      return { status: 200, body: clockView(moved) };
    }),
    proved('gateways.manage', ['POST', '/api/test/sandbox-account'], async (request, member) => {
      const { psp_code } = readBody(request, readSandbox);
      return { status: 201, body: gatewayView(await connect(member, psp_code)) };
    }),
  ];
}

function clockView({ now, ahead_ms, remaining_ms, is_settled }: TestClockView): TestClock {
  const state = is_settled ? 'settled' : 'advancing';
  return { now, ahead_seconds: ahead_ms / 1_000, remaining_seconds: remaining_ms / 1_000, state };
}
