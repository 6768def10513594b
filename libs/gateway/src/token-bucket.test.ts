import { describe, expect, it, jest } from '@jest/globals';
import { openBudget } from './token-bucket.ts';

describe('the budget of an account', () => {
  it('the budget of an account lets a burst through at once', async () => {
    const budget = openBudget({ perSecond: 1, burst: 3 });
    await Promise.all([1, 2, 3].map(() => budget.take('a', 'void')));
  });

  it('the budget of an account serves captures before voids before queries, in any order of arrival', async () => {
    const budget = openBudget({ perSecond: 200, burst: 1 });
    // Time stands still until all of them wait: with tokens left, a call would not wait.
    const clock = jest.spyOn(performance, 'now').mockReturnValue(performance.now());
    await budget.take('a', 'query');
    const served: string[] = [];
    const wait = (priority: 'query' | 'void' | 'capture') =>
      budget.take('a', priority).then(() => served.push(priority));
    const all = [wait('query'), wait('void'), wait('capture'), wait('void'), wait('capture')];
    clock.mockRestore();
    await Promise.all(all);
    expect(served).toEqual(['capture', 'capture', 'void', 'void', 'query']);
  });

  it('the budget of an account never waits for the budget of another account', async () => {
    const budget = openBudget({ perSecond: 100, burst: 1 });
    await budget.take('a', 'void');
    const crowded = Promise.all(Array.from({ length: 20 }, () => budget.take('a', 'void').then(() => 'a')));
    const first = await Promise.race([crowded, budget.take('b', 'query').then(() => 'b')]);
    expect(first).toBe('b');
    await crowded;
  });
});
