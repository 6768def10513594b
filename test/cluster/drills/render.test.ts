import { expect, it } from '@jest/globals';
import { renderDrills, type Result } from './render.ts';

const result = (change: Partial<Result>): Result => ({
  name: 'upgrade',
  does: 'replaces pods',
  seconds: 50,
  requests: 100,
  failed: 0,
  stallMs: 300,
  paid: 9,
  unpaid: 0,
  missingWebhooks: 0,
  contradictions: 0,
  isMet: true,
  played: '2026-11-29',
  ...change,
});
const cellsOf = (page: string, name: string): readonly string[] => {
  const row = page.split('\n').find((line) => line.startsWith(`| \`${name}\``)) ?? '';
  return row.split('|').map((cell) => cell.trim());
};

it('the page names the alerts of each drill, and says where none were recorded', async () => {
  const alerts = { fired: ['B', 'C'], missing: ['A'], unexpected: ['C'] };
  const page = await renderDrills([result({ alerts }), result({ name: 'drain' })], ['upgrade', 'drain']);
  expect(cellsOf(page, 'upgrade')).toEqual(expect.arrayContaining(['`B`, `C`', '`A`', '`C`']));
  expect(cellsOf(page, 'drain')).toContain('not recorded');
  expect(page).not.toContain('not played so far');
});

it('the page names the drills that were not played', async () => {
  const page = await renderDrills([result({})], ['upgrade', 'drain', 'restore']);
  expect(page).toContain('not played so far: `drain`, `restore`.');
});

it('the page says below the table what only one drill measured', async () => {
  const page = await renderDrills([result({ told: 'four after 90 s' })], ['upgrade']);
  expect(page).toContain('- `upgrade`: four after 90 s.');
});
