import { describe, expect, it } from '@jest/globals';
import { awaitFirstAnswer } from './first-answer.ts';

describe('the first answer of a server', () => {
  it('a server that answers is waited for, also where it refused before', async () => {
    let asked = 0;
    await awaitFirstAnswer(async () => {
      asked += 1;
      if (asked < 3) throw new Error('the database system is starting up');
    }, 60_000);
    expect(asked).toBe(3);
  });

  it('a server that never answers is not waited for any longer than the limit', async () => {
    let asked = 0;
    const refuse = async () => {
      asked += 1;
      throw new Error('connection refused');
    };
    await awaitFirstAnswer(refuse, 300);
    const before = asked;
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(asked).toBeGreaterThan(0);
    expect(asked).toBe(before);
  });

  it('a server that keeps a question open is not waited for any longer than the limit', async () => {
    await awaitFirstAnswer(() => new Promise(() => undefined), 100);
  });
});
