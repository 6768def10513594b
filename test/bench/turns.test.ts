import { expect, it } from '@jest/globals';
import { measureInTurn } from './turns.ts';

it('each side is warmed up once, and the sides then take turns, so that a round saw the same weather', async () => {
  const seen: string[] = [];
  const side = (name: string) => () => Promise.resolve(seen.push(name));
  const lines: string[] = [];
  const say = (line: string): void => void lines.push(line);
  const rates = await measureInTurn({ ours: side('ours'), theirs: side('theirs') }, { rounds: 2, say });
  expect(seen).toEqual(['ours', 'theirs', 'ours', 'theirs', 'ours', 'theirs']);
  expect(rates).toEqual({ ours: [3, 5], theirs: [4, 6] });
  expect(lines).toEqual(['ours 3/s, theirs 4/s', 'ours 5/s, theirs 6/s']);
});
