import { publicApi, type TestClockView } from '@gp/contracts';
import { AppError } from '@gp/errors';
import type { Caller } from '../app/callers/caller.ts';
import type { Handle } from './request/endpoint.ts';
import { answerOnce } from './request/idempotency.ts';
import type { RouteParts } from './route-parts.ts';
import { bodyReader } from './request/validator.ts';

const readAdvance = bodyReader(publicApi.AdvanceTestClockRequest);
const readReset = bodyReader(publicApi.ResetTestClockRequest);

/** GET /v1/test/clock */
export function getTestClock({ services }: RouteParts): Handle {
  return async (_request, caller) => shown(await services.findTestClock(testMerchant(caller)));
}

/** POST /v1/test/clock/advance. Advances once per key; a repetition gets the first response. */
export function advanceTestClock({ once, services }: RouteParts): Handle {
  return async (request, caller) => {
    const merchant = testMerchant(caller);
    const body = readAdvance(request);
    const { seconds } = body.plain;
    return answerOnce(once, { request, caller, body: body.exact }, async (identity) =>
      shown(await services.advanceTestClock({ ...identity, ...merchant, seconds })),
    );
  };
}

/** POST /v1/test/clock/reset */
export function resetTestClock({ services }: RouteParts): Handle {
  return async (request, caller) => {
    const merchant = testMerchant(caller);
    if (request.rawBody.length > 0) readReset(request);
    return shown(await services.resetTestClock(merchant));
  };
}

/** Live mode runs on real time only, so a live key is the wrong credential here, as a session token would be. */
function testMerchant({ merchantId, mode }: Caller): { merchant_id: string } {
  if (mode !== 'test')
    throw new AppError('insufficient_scope', { message: 'the test clock is for test keys' });
  return { merchant_id: merchantId };
}

function shown({ now, ahead_ms, remaining_ms, is_settled }: TestClockView): {
  status: number;
  body: publicApi.TestClock;
} {
  const body: publicApi.TestClock = {
    now,
    ahead_seconds: ahead_ms / 1_000,
    remaining_seconds: remaining_ms / 1_000,
    state: is_settled ? 'settled' : 'advancing',
  };
  return { status: 200, body };
}
