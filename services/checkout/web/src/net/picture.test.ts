import type { LiveSlot, PictureChange } from '../bootstrap.ts';
import { changed, pickNewer, type Live } from './picture.ts';

const slot = (id: string, state: LiveSlot['state']): LiveSlot => ({ id, state, held_until: null });
const picture = (rev: number, ...slots: LiveSlot[]): Live => ({
  rev,
  state: 'open',
  expires_at: '2026-01-01T00:00:00.000Z',
  slots,
});
const change = (prev: number, rev: number, ...slots: LiveSlot[]): PictureChange => ({
  ...picture(rev, ...slots),
  prev,
  server_time: '2026-01-01T00:00:00.000Z',
});

describe('the picture of a group', () => {
  const known = picture(4, slot('a', 'unassigned'), slot('b', 'unassigned'));

  it('the picture of a group takes over the shares a change names and keeps the others', () => {
    expect(changed(known, change(4, 5, slot('b', 'assigned')))?.slots).toEqual([
      slot('a', 'unassigned'),
      slot('b', 'assigned'),
    ]);
  });

  it('the picture of a group is requested again when a change was missed', () => {
    expect(changed(known, change(5, 6, slot('b', 'assigned')))).toBeUndefined();
  });

  it('the picture of a group takes other instants of the same version, as after a move of the test clock', () => {
    const moved = { ...change(4, 4), expires_at: '2025-12-31T00:00:00.000Z' };
    expect(changed(known, moved)).toMatchObject({ expires_at: moved.expires_at, slots: known.slots });
  });

  it('the picture of a group is not replaced by an older change or picture', () => {
    expect(changed(known, change(2, 3, slot('a', 'captured')))).toBe(known);
    expect(pickNewer(known, picture(3))).toBe(known);
    expect(pickNewer(known, picture(5)).rev).toBe(5);
  });
});
