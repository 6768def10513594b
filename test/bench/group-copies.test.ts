import { describe, expect, it } from '@jest/globals';
import { saveAsText, toCopy, toCopySql } from './load/group-copies.ts';

const GROUP = '01a22b27-70e6-70a1-a97e-43e3765d1095';
const MERCHANT = '01a22b23-b85a-7047-ac2d-74f8d683909b';
const shared = new Set([MERCHANT]);

describe('copies of a group', () => {
  it('a copy has ids of its own that begin with its number, and shares those of the merchant', () => {
    expect(toCopy(`{"group":"${GROUP}","merchant":"${MERCHANT}"}`, 10_000_001, shared)).toBe(
      `{"group":"10000001-70e6-70a1-a97e-43e3765d1095","merchant":"${MERCHANT}"}`,
    );
  });

  it('the SQL of a copy escapes quotes, backslashes and colons, which a script of pgbench would misread', () => {
    expect(toCopySql(`it's \\ at 10:15 in ${GROUP}`, ':copy::text', shared)).toBe(
      `(e'it''s \\\\ at 10\\x3a15 in ' || :copy::text || e'-70e6-70a1-a97e-43e3765d1095')`,
    );
  });

  it('the statement of a decision for pgbench has a value in place of each parameter, and needs all of them', () => {
    const parameters = Array.from({ length: 32 }, (_, index) => (index === 0 ? GROUP : null));
    const text = saveAsText(parameters, ':copy::text', shared);
    expect(text).not.toMatch(/\$\d/);
    expect(text).toContain(`where id = (:copy::text || e'-70e6-70a1-a97e-43e3765d1095')::uuid`);
    expect(() => saveAsText(parameters.slice(0, 31), ':copy::text', shared)).toThrow('parameter $32');
  });
});
