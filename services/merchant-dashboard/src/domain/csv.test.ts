import { expect, it } from '@jest/globals';
import { csvLine } from './csv.ts';

it.each([
  ['plain', '"plain"'],
  ['a,b "c"\r\nd', '"a,b ""c""\r\nd"'],
  ['', '""'],
  ['1234567.89', '"1234567.89"'],
  ['-0.05', '"-0.05"'],
  ['=1+1', `"'=1+1"`],
  ['+1', `"'+1"`],
  ['-1+1', `"'-1+1"`],
  ['-cmd', `"'-cmd"`],
  ['@SUM(A1)', `"'@SUM(A1)"`],
  ['\t=1', `"'\t=1"`],
  ['\n=1', `"'\n=1"`],
  ['＝1+1', `"'＝1+1"`],
])('the text %j is the CSV field %j: quoted, no formula, and a number as it is (Q50)', (text, field) => {
  expect(csvLine(['x', text])).toBe(`"x",${field}\r\n`);
});
