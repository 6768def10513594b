import { describe, expect, it } from '@jest/globals';
import { listTicks, pickNamed } from './chart-scale.ts';

describe('the lines of an axis', () => {
  it.each([
    [0, [0, 0.2, 0.4, 0.6, 0.8, 1]],
    [7, [0, 2, 4, 6, 8]],
    [10, [0, 2, 4, 6, 8, 10]],
    [118.37, [0, 25, 50, 75, 100, 125]],
    [0.3, [0, 0.1, 0.2, 0.3]],
    [1_000_000, [0, 200_000, 400_000, 600_000, 800_000, 1_000_000]],
  ])('the lines of an axis are round and reach %j', (highest, lines) => {
    expect(listTicks(highest, { isWhole: false })).toEqual(lines);
  });

  it.each([
    [0, [0, 1]],
    [1, [0, 1]],
    [3, [0, 1, 2, 3]],
    [12, [0, 5, 10, 15]],
  ])('the lines of an axis are integers for counts up to %j', (highest, lines) => {
    expect(listTicks(highest, { isWhole: true })).toEqual(lines);
  });

  it('the lines of an axis reach every height that is charted, with six lines at most', () => {
    for (let highest = 0.01; highest < 1e9; highest *= 1.37)
      for (const isWhole of [true, false]) {
        const lines = listTicks(highest, { isWhole });
        expect(lines.length).toBeLessThanOrEqual(6);
        expect(lines.at(-1)).toBeGreaterThanOrEqual(highest);
      }
  });
});

it.each([
  [7, 7, [0, 1, 2, 3, 4, 5, 6]],
  [30, 6, [0, 5, 10, 15, 20, 25]],
  [90, 6, [0, 15, 30, 45, 60, 75]],
  [1, 6, [0]],
  [0, 6, []],
])('among %j columns, %j at most have a name below them, at equal distances', (count, most, places) => {
  expect(pickNamed(count, most)).toEqual(places);
});
