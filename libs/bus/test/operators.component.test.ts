import { describe, expect, it } from '@jest/globals';
import { rpc, type Operator } from '@gp/contracts';
import { AppError } from '@gp/errors';
import { createOperator, playOperators } from '@gp/testing';
import Type from '@gp/bundled/typebox';
import { byOperator, type Bus } from '../src/index.ts';
import { addContract, catchCode, natsFixture, recordingLog } from './support.ts';

const fixture = natsFixture();
const ann = createOperator('ann', 'act');
const Amount = Type.Object({ amount: Type.Integer() });
const act = rpc('rpc.ledger.sums.act.v1', { operator: 'act', request: Amount, response: Amount });

/** A callee that records who gave it which command. */
async function openCallee(): Promise<{ callee: Bus; acts: { name: string; amount: number }[] }> {
  const callee = await fixture.bus();
  const acts: { name: string; amount: number }[] = [];
  const handle = byOperator(async ({ amount }: { amount: number }, { name }: Operator) => {
    acts.push({ name, amount });
    return { amount };
  });
  callee.serve(act, handle);
  return { callee, acts };
}

describe('a call for operators', () => {
  it('a signed call reaches the handler with the person who signed it (Q66)', async () => {
    const { callee, acts } = await openCallee();
    playOperators(callee, ann);
    const caller = await fixture.bus({ operator: ann.signer });
    expect(await caller.call(act, { amount: 7 })).toEqual({ amount: 7 });
    expect(acts).toEqual([{ name: 'ann', amount: 7 }]);
  });

  it('a call without a signature, and one of an unknown person, never reach the handler and are logged (Q67)', async () => {
    const log = recordingLog();
    const callee = await fixture.bus({ log });
    playOperators(callee, ann);
    let calls = 0;
    callee.serve(act, (request) => {
      calls += 1;
      return Promise.resolve(request);
    });
    for (const operator of [undefined, createOperator('ann').signer]) {
      const caller = await fixture.bus({ operator });
      expect(await catchCode(caller.call(act, { amount: 1 }))).toBe('unauthorized');
    }
    expect(calls).toBe(0);
    expect(log.lines.filter(({ message }) => message === 'a command of an operator is refused')).toHaveLength(
      2,
    );
  });

  it('a call has no effect while the ledger cannot verify its signature, and the caller gets an error that says so (Q67)', async () => {
    const { acts } = await openCallee();
    const caller = await fixture.bus({ operator: ann.signer });
    expect(await catchCode(caller.call(act, { amount: 1 }))).toBe('service_unavailable');
    expect(acts).toEqual([]);
  });

  it('other calls carry no signature', async () => {
    const callee = await fixture.bus();
    callee.serve(addContract, (_, context) =>
      context.operator === undefined ? Promise.resolve({ sum: 1 }) : Promise.reject(new AppError('conflict')),
    );
    const caller = await fixture.bus({ operator: ann.signer });
    expect(await caller.call(addContract, { amount: 1 })).toEqual({ sum: 1 });
  });
});
