import { describe, expect, it } from '@jest/globals';
import { KEY_SCOPES } from '@gp/contracts';
import { listGrantableScopes, normalizeScopes } from './key-scopes.ts';

describe('scopes a role may give', () => {
  it.each(['owner', 'admin'] as const)('the role %s may give all scopes', (role) => {
    expect(listGrantableScopes(role)).toEqual(KEY_SCOPES);
  });

  it('the role developer may give no scope that refunds (K7)', () => {
    expect(listGrantableScopes('developer')).toEqual(['read', 'payments', 'webhooks', 'logs', 'test_clock']);
  });
});

it('the choice of all scopes is stored as no restriction', () => {
  expect(normalizeScopes([...KEY_SCOPES].reverse())).toBeNull();
  expect(normalizeScopes(['refunds', 'read', 'read'])).toEqual(['read', 'refunds']);
});
