import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { count } from './record.ts';
import { Refusal } from '../support/command-line.ts';
import { newHistory, parseHistory, readHistory, storeHistory, type StoredHistory } from './stored-history.ts';

let dir: string;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'history-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

/** A history of one part, in which everything was done once. */
function played(): StoredHistory {
  const history = { ...newHistory(), parts: 1, minutes: 0.5 };
  history.endpoints.push({ merchant: 'Demo', port: 20_000, secret: 'whsec_x' });
  history.heard.push({ id: 'event', type: 'group_payment.paid', group_id: 'group', sequence: 1 });
  history.refused.push('no signature');
  const { record } = history;
  record.created.push({ merchant: 'Demo', group_id: 'group', slot_ids: ['slot'] });
  record.paid.push({ payment_intent_id: 'payment', slot_ids: ['slot'] });
  const failed = [{ payment_intent_id: 'payment', psp_code: 'gateway_c', error: 'unavailable' }];
  record.refunded.push({ group_id: 'group', refunded_payment_intents: [], failed });
  record.confirmed.push('payment');
  record.travelled.push({ merchant: 'Demo', seconds: 60, isAnswered: false });
  count(record, 'kill postgres');
  return history;
}

const refuse = (history: unknown) => () => parseHistory(JSON.stringify(history), 'there');

describe('the file between two parts of a history', () => {
  it('a stored history is read as it was stored, and only its owner may read it', async () => {
    await storeHistory(dir, played());
    expect(await readHistory(dir)).toEqual(played());
    expect((await stat(join(dir, 'history.json'))).mode & 0o777).toBe(0o600);
  });

  it('a stored history takes the place of the one before and leaves no other file', async () => {
    await storeHistory(dir, played());
    await storeHistory(dir, { ...played(), parts: 2 });
    expect((await readHistory(dir)).parts).toBe(2);
    expect(await readdir(dir)).toEqual(['history.json']);
  });

  it('an empty or missing folder begins a history', async () => {
    expect(await readHistory(dir)).toEqual(newHistory());
    expect(await readHistory(join(dir, 'missing'))).toEqual(newHistory());
  });

  it('a folder with other files begins no history', async () => {
    await writeFile(join(dir, 'letter.txt'), '');
    await expect(readHistory(dir)).rejects.toThrow('is not empty and holds no history');
  });

  it('a file that ends too early is refused', async () => {
    await writeFile(join(dir, 'history.json'), JSON.stringify(played()).slice(0, -1));
    await expect(readHistory(dir)).rejects.toThrow(
      new Refusal(`${dir}/history.json is broken: it is not JSON`),
    );
  });

  it.each<[string, (history: StoredHistory) => object | null, string]>([
    ['null', () => null, '/ must be object'],
    ['no record', ({ record: _record, ...rest }) => rest, '/ must have required property'],
    ['a count of parts that is no number', (h) => ({ ...h, parts: 'two' }), '/parts must be integer'],
    ['an event without its place', (h) => ({ ...h, heard: [{ id: 'event' }] }), '/heard/0 must have'],
    ['a port of 0', (h) => ({ ...h, endpoints: [{ ...h.endpoints[0], port: 0 }] }), '/endpoints/0/port must'],
  ])('a stored history with %s is refused', (_what, breakIt, why) => {
    expect(refuse(breakIt(played()))).toThrow(Refusal);
    expect(refuse(breakIt(played()))).toThrow(`there/history.json is broken: ${why}`);
  });

  it('a stored history of another version is refused', () => {
    expect(refuse({ version: 2, wholly: 'different' })).toThrow(
      new Refusal('there/history.json has version 2, this program reads 1'),
    );
  });

  it('a history whose last part broke off, or in which contradictions were found, is not continued', () => {
    expect(refuse({ ...played(), state: 'playing' })).toThrow('what its endpoints heard is lost');
    expect(refuse({ ...played(), state: 'contradicted' })).toThrow('contradictions were found');
  });
});
