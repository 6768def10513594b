import { describe, expect, it } from '@jest/globals';
import { nameParameters } from './parameters.ts';

type Account = { readonly id: string; readonly owner: string };
const parameters = nameParameters({
  id: ({ id }: Account) => id,
  owner: ({ owner }) => owner,
});

describe('the parameters of a statement', () => {
  it('the parameters of a statement are numbered in the order in which they are named, and so are their values', () => {
    const { $ } = parameters;
    expect(`where id = ${$.id} and owner = ${$.owner}`).toBe('where id = $1 and owner = $2');
    expect(parameters.listValues({ owner: 'ann', id: 'a1' })).toEqual(['a1', 'ann']);
  });

  it('the parameters of a statement say which number is free after them', () => {
    expect(parameters.next).toBe(3);
  });
});
