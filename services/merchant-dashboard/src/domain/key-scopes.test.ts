import { describe, expect, it } from '@jest/globals';
import { KEY_SCOPES } from '@gp/contracts';
import { listGrantableScopes, normalizeScopes } from './key-scopes.ts';

describe('scopes a role may give', () => {
  it.each(['owner', 'admin'] as const)('%s: all of them', (role) => {
    expect(listGrantableScopes(role)).toEqual(KEY_SCOPES);
  });

  it('developer: none that refunds (K7)', () => {
    expect(listGrantableScopes('developer')).toEqual(['read', 'payments', 'webhooks', 'test_clock']);
  });
});

it('all scopes are stored as no restriction', () => {
  expect(normalizeScopes([...KEY_SCOPES].reverse())).toBeNull();
  expect(normalizeScopes(['refunds', 'read', 'read'])).toEqual(['read', 'refunds']);
});
