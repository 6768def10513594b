import { expect, it } from '@jest/globals';
import { listChosen } from './chosen-filters.ts';

it('filters that are set are saved, and a searched text is not (K17)', () => {
  expect(listChosen({ state: 'paid', created_after: '', search: 'ana@example.com' })).toEqual({
    state: 'paid',
  });
});

it('without a filter that can be saved there is nothing to save (K17)', () => {
  expect(listChosen({ state: '', search: 'ana@example.com' })).toBeUndefined();
});
