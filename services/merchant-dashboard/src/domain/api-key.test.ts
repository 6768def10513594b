import { expect, it } from '@jest/globals';
import { parseApiKeyMode } from '@gp/contracts';
import { newApiKey } from './api-key.ts';

it('an API key has the published form even when most of the random bytes cannot be used', () => {
  let turn = 0;
  const mostlyUnusable = (count: number) => new Uint8Array(count).fill(255).fill(turn++, 0, 3);
  const key = newApiKey('live', mostlyUnusable);
  expect(key).toMatch(/^sk_live_[0-9A-Za-z]{38}$/);
  expect(parseApiKeyMode(key)).toBe('live');
});
