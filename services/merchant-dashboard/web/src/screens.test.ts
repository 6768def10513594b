import { expect, it } from '@jest/globals';
import { screens, SECTIONS } from './screens.ts';

it('the navigation has "API keys" in the section "Integration", where the interface says that keys are made', () => {
  expect(SECTIONS).toContain('Integration');
  expect(screens.find(({ title }) => title === 'API keys')).toMatchObject({
    path: 'keys',
    nav: { section: 'Integration' },
  });
});
