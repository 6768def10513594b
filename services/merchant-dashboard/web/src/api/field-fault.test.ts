import { expect, it } from '@jest/globals';
import { ApiFailure } from './failure.ts';
import { findFieldFault } from './field-fault.ts';

const failure = (code: string) =>
  new ApiFailure(400, {
    code,
    param: 'max_tip',
    message: 'Validation error: max_tip: must be at most 5.00 EUR',
  });

it('a field that the backend refused shows the reason alone, and other fields and errors show none', () => {
  expect(findFieldFault(failure('validation_error'), 'total_amount', 'max_tip')).toBe(
    'Must be at most 5.00 EUR',
  );
  expect(findFieldFault(failure('validation_error'), 'total_amount')).toBeNull();
  expect(findFieldFault(failure('conflict'), 'max_tip')).toBeNull();
  expect(findFieldFault(new Error('max_tip'), 'max_tip')).toBeNull();
});
