import { describe, expect, it } from '@jest/globals';
import { OPERATOR_ROLES } from '@gp/contracts';
import { CLOCKS_MAY_DIFFER_MS, judgeKey, judgeRole, type StoredKey } from './judge-key.ts';

const nowMs = Date.parse('2030-06-01T12:00:00.000Z');
const key: StoredKey = { name: 'ann', role: 'act', expiresAtMs: null, revokedAtMs: null, nowMs };
const judge = (o: Partial<StoredKey> = {}, signedAtMs = nowMs) =>
  judgeKey({ ...key, ...o }, { needs: 'act', signedAtMs });

describe('the key of an operator', () => {
  it('a key may give a command that its role covers, until the instant at which it expires (Q67)', () => {
    expect(judge()).toBeUndefined();
    expect(judge({ expiresAtMs: nowMs + 1 })).toBeUndefined();
    expect(judge({ expiresAtMs: nowMs })).toEqual({
      code: 'unauthorized',
      message: 'the key of ann expired at 2030-06-01T12:00:00.000Z',
    });
  });

  it('a revoked key gives no command, whatever its role and expiry (Q67)', () => {
    const refusal = {
      code: 'unauthorized',
      message: 'the key of ann was revoked at 2030-06-01T12:00:00.000Z',
    };
    expect(judge({ revokedAtMs: nowMs })).toEqual(refusal);
    expect(judge({ revokedAtMs: nowMs, expiresAtMs: nowMs, role: 'admin' }, 0)).toEqual(refusal);
  });

  it('clocks may differ by five minutes either way, and by no millisecond more (Q68)', () => {
    for (const way of [1, -1]) expect(judge({}, nowMs + way * CLOCKS_MAY_DIFFER_MS)).toBeUndefined();
    expect(judge({}, nowMs + CLOCKS_MAY_DIFFER_MS + 1)?.message).toMatch(
      /^the command was signed 5 minutes ahead of/,
    );
    expect(judge({}, nowMs - 3_600_000)?.message).toMatch(/^the command was signed 60 minutes behind /);
  });

  it('a role covers itself and every lower role, and no other (Q67)', () => {
    const covered = OPERATOR_ROLES.map((role) =>
      OPERATOR_ROLES.filter((needs) => judgeRole({ name: 'ann', role }, needs) === undefined),
    );
    expect(covered).toEqual([['read'], ['read', 'act'], ['read', 'act', 'admin']]);
    expect(judge({ role: 'read' })).toEqual({
      code: 'insufficient_scope',
      message: 'the key of ann has the role read, and this command needs act',
    });
  });
});
