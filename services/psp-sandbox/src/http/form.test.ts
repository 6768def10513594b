import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { FormError, readListField, parseForm, readTextField } from './form.ts';

describe('a form', () => {
  it('a form nests by brackets, counts lists and decodes every name and value', () => {
    const form = parseForm(
      'amount=10&metadata[a%20b]=x%26y+z&items[0][id]=1&items[1][id]=2&expand[]=p&expand[]=q',
    );
    expect(JSON.parse(JSON.stringify(form))).toEqual({
      amount: '10',
      metadata: { 'a b': 'x&y z' },
      items: { 0: { id: '1' }, 1: { id: '2' } },
      expand: { 0: 'p', 1: 'q' },
    });
    expect(readListField(form, 'expand')).toEqual(['p', 'q']);
  });

  it('a form treats the names of object internals as plain fields', () => {
    const form = parseForm('__proto__[polluted]=1&constructor=x');
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    expect(readTextField(form, 'constructor')).toBe('x');
    expect(readTextField(form, 'toString')).toBeUndefined();
  });

  it.each([
    ['broken percent signs', 'a=%zz'],
    ['bytes that are no UTF-8', 'a=%ff'],
    ['NUL, which no database text can hold', 'a=%00'],
    ['a field that is both text and form', 'a=1&a[b]=2'],
    ['a form that is also text', 'a[b]=2&a=1'],
    ['unbalanced brackets', 'a[b=1'],
    ['no name', '=1'],
    ['bottomless nesting', `a${'[b]'.repeat(50)}=1`],
    ['a flood of fields', 'a=1&'.repeat(2_000)],
  ])('a form is refused for %s', (_why, text) => {
    expect(() => parseForm(text)).toThrow(FormError);
  });

  it('a form is either read or refused with a reason, whatever was sent', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^[a-c[\]=&%0-9+]{0,40}$/)),
        (text) => {
          try {
            parseForm(text);
          } catch (e) {
            expect(e).toBeInstanceOf(FormError);
          }
        },
      ),
    );
  });
});
