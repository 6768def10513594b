import { describe, expect, it, jest } from '@jest/globals';
import { openBudget } from './token-bucket.ts';

const a = { mode: 'live', merchantId: 'a' } as const;
const b = { mode: 'live', merchantId: 'b' } as const;

describe('the budget of an account', () => {
  it('the budget of an account lets a burst through at once', async () => {
    const budget = openBudget(() => ({ perSecond: 1, burst: 3 }));
    await Promise.all([1, 2, 3].map(() => budget.take(a, 'void')));
  });

  it('the budget of an account serves captures before voids before queries, in any order of arrival', async () => {
    const budget = openBudget(() => ({ perSecond: 200, burst: 1 }));
    // Time stands still until all of them wait: with tokens left, a call would not wait.
    const clock = jest.spyOn(performance, 'now').mockReturnValue(performance.now());
    await budget.take(a, 'query');
    const served: string[] = [];
    const wait = (priority: 'query' | 'void' | 'capture') =>
      budget.take(a, priority).then(() => served.push(priority));
    const all = [wait('query'), wait('void'), wait('capture'), wait('void'), wait('capture')];
    clock.mockRestore();
    await Promise.all(all);
    expect(served).toEqual(['capture', 'capture', 'void', 'void', 'query']);
  });

  it('each account has a rate of its own', async () => {
    const budget = openBudget(({ merchantId }) => ({ perSecond: 5, burst: merchantId === 'a' ? 3 : 1 }));
    const served: string[] = [];
    const calls = [a, a, a, b, b].map((account) =>
      budget.take(account, 'void').then(() => served.push(account.merchantId)),
    );
    await Promise.all(calls.slice(0, 4));
    expect(served).toEqual(['a', 'a', 'a', 'b']);
    await Promise.all(calls);
    expect(served).toHaveLength(5);
  });

  it('the budget of an account never waits for the budget of another account', async () => {
    const budget = openBudget(() => ({ perSecond: 100, burst: 1 }));
    await budget.take(a, 'void');
    const crowded = Promise.all(Array.from({ length: 20 }, () => budget.take(a, 'void').then(() => 'a')));
    const first = await Promise.race([crowded, budget.take(b, 'query').then(() => 'b')]);
    expect(first).toBe('b');
    await crowded;
  });
});
