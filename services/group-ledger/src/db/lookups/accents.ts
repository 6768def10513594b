/**
 * Returns SQL of a text as names are compared: without accents and in lower case, `Ána García` as `ana garcia`. A text of ASCII alone
 * has no accents, and is not looked through for them.
 */
const folded = (text: string): string =>
  `lower(case when octet_length(${text}) = char_length(${text}) then ${text}
              else regexp_replace(normalize(${text}, NFD), '[\\u0300-\\u036F]', '', 'g') end)`;

/** Returns SQL of whether a word of a name begins with what was asked for, in any case, with accents and without. */
export const hasWord = (column: string, asked: string): string =>
  `position(' ' || (select ${folded(asked)}) in ' ' || ${folded(column)}) > 0`;
