import { expect, it } from '@jest/globals';
import type { GroupJson } from '../../db/group/group.row.ts';
import { needRight } from './organiser-rights.ts';

const rights = { may: ['cancel' as const], latest_expires_at: null };
const row = (o: Partial<GroupJson>) =>
  ({ organiser_token: 'now', organiser_rights: rights, ...o }) as GroupJson;

it('a link that was replaced after the group was found gives no right (Q83)', () => {
  expect(needRight(row({}), 'now', 'cancel')).toBe(rights);
  for (const [changed, token] of [
    [{}, 'before'],
    [{ organiser_token: null, organiser_rights: null }, 'now'],
  ] as const)
    expect(() => needRight(row(changed), token, 'cancel')).toThrow(
      expect.objectContaining({ code: 'not_found' }),
    );
});

it('a right that the creation did not give is refused with its name (Q84)', () => {
  expect(() => needRight(row({}), 'now', 'extend')).toThrow(
    expect.objectContaining({
      code: 'insufficient_scope',
      message: 'the merchant does not let the organiser of this group payment extend',
    }),
  );
});
