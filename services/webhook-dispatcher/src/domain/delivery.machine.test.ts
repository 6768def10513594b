import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { deliveryMachine } from './delivery.machine.ts';

describe('a delivery', () => {
  it('a delivery is final only when its endpoint is deleted: a merchant may have all others sent again', () => {
    expect(deliveryMachine.final).toEqual(['cancelled']);
    expect(deliveryMachine.unreachable()).toEqual([]);
  });

  it('a delivery is sent only from pending or from a claim that was lost', () => {
    const ways = deliveryMachine.matrix().filter(({ to }) => to === 'sending');
    expect(ways.map(({ from, trigger }) => `${from} ${trigger}`)).toEqual([
      'pending claim',
      'sending lose_claim',
    ]);
  });

  it('a delivery can only have the statuses the database knows', async () => {
    const sql = await readFile(new URL('../../migrations/0001-webhooks.sql', import.meta.url), 'utf8');
    const [, known = ''] = /deliveries_status_is_known\s+check \(status in \(([^)]*)\)\)/.exec(sql) ?? [];
    expect(known.replaceAll("'", '').split(', ').sort()).toEqual([...deliveryMachine.statuses].sort());
  });

  it('the diagram in the README equals the machine of a delivery', async () => {
    const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8');
    expect(readme).toContain(deliveryMachine.diagram());
  });
});
