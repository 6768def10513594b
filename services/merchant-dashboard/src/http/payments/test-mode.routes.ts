import { CurrencyCode, publicApi, PspCode, type TestClockView } from '@gp/contracts';
import type { Route } from '@gp/http';
import Type from '@gp/bundled/typebox';
import { closed, GroupName, OrganiserMay, readEmpty, SlotLabel } from '../../app/input/input.ts';
import type { WebParts } from '../../app/ports.ts';
import { reader } from '../../app/input/reader.ts';
import { connectSandbox, makeFirstPayment } from '../../app/payments/try-out.ts';
import { notedRequest } from '../../app/team/audit.ts';
import { freshIdentity } from '../../app/payments/command.ts';
import { mayHoldOrganisersLink } from '../../domain/roles.ts';
import type { FirstPayment, TestClock } from '../api.ts';
import { readBody, readOptionalBody } from '../request/body.ts';
import { guards } from '../request/guards.ts';
import { readIdempotencyKey } from './group-payments.routes.ts';
import { gatewayView } from '../settings/views.ts';

const readAdvance = reader(publicApi.AdvanceTestClockRequest);
/** An amount in currency units. */
const Amount = Type.String({ pattern: '^[0-9]{1,12}([.][0-9]{1,4})?$' });
const readTried = reader(
  Type.Object(
    {
      group_name: Type.Optional(GroupName),
      total_amount: Type.Optional(Amount),
      currency: Type.Optional(CurrencyCode),
      number_of_slots: Type.Optional(Type.Integer({ minimum: 1, maximum: 30 })),
      slots: Type.Optional(
        Type.Array(Type.Object({ amount: Amount, label: Type.Optional(SlotLabel) }, closed), {
          minItems: 1,
          maxItems: 30,
        }),
      ),
      expires_in_seconds: Type.Optional(Type.Integer({ minimum: 60, maximum: 7 * 24 * 60 * 60 })),
      organiser: Type.Optional(Type.Union([Type.Object({ may: OrganiserMay }, closed), Type.Null()])),
      minimum_slots: Type.Optional(Type.Integer({ minimum: 1, maximum: 30 })),
      max_tip: Type.Optional(Amount),
    },
    closed,
  ),
);
const readSandbox = reader(Type.Object({ psp_code: PspCode }, closed));

/** Routes that exist in test mode alone: the test clock, and ways to try the platform. */
export function testModeRoutes(parts: WebParts): Route[] {
  const { db, services, addresses } = parts;
  const { allowed, proved } = guards(db);
  const note = notedRequest(db);
  const first = makeFirstPayment(parts);
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
    allowed('test.manage', ['POST', '/api/test/first-payment'], async (request, member) => {
      const tried = readOptionalBody(request, readTried);
      const { group } = await first(member, tried, readIdempotencyKey(request));
      const { id, page_token, organiser } = group;
      const body: FirstPayment = {
        id,
        checkout_url: `${addresses.checkout}/c/${page_token}`,
        ...(organiser &&
          mayHoldOrganisersLink(member) && { organiser_url: `${addresses.checkout}/o/${organiser.token}` }),
      };
      return { status: 201, body };
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
