import { expect, it } from '@jest/globals';
import { ApiFailure } from './failure.ts';
import { registerProof, withProof } from './proof-gate.ts';

const refusal = new ApiFailure(403, { code: 'insufficient_scope', param: 'reauthenticate' });
/** Work that is refused until there was a proof. */
function guarded() {
  const state = { isProved: false, runs: 0 };
  const work = async () => {
    state.runs++;
    if (!state.isProved) throw refusal;
    return 'done';
  };
  return { state, work };
}

it('a proof runs the same work again (K9)', async () => {
  const { state, work } = guarded();
  const end = registerProof(async () => void (state.isProved = true));
  expect(await withProof(work)).toBe('done');
  end();
  expect(state.runs).toBe(2);
});

it('a missing proof rejects with the refusal, also when the user cannot be asked (K9)', async () => {
  const { state, work } = guarded();
  const end = registerProof(() => Promise.reject(new Error('cancelled')));
  await expect(withProof(work)).rejects.toBe(refusal);
  end();
  await expect(withProof(work)).rejects.toBe(refusal);
  expect(state.runs).toBe(2);
});

it('a role that does not suffice asks for no proof', async () => {
  const end = registerProof(() => Promise.reject(new Error('was asked')));
  const denied = new ApiFailure(403, { code: 'insufficient_scope' });
  await expect(withProof(() => Promise.reject(denied))).rejects.toBe(denied);
  end();
});
