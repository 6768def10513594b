/**
 * Characters that no name holds: controls, line ends, soft hyphens, and the invisible characters that turn the
 * direction of text or look like nothing. The joiners U+200C and U+200D are not among them: Persian names and emoji
 * need them.
 */
const REFUSED =
  '\\u0000-\\u001F\\u007F-\\u009F\\u00AD\\u061C\\u180E\\u200B\\u200E\\u200F\\u2028-\\u202E\\u2060-\\u206F\\uFEFF\\uFFF9-\\uFFFB';
/** Characters that leave a name without anything to see when it has no other. */
const BLANK = '\\s\\u200C\\u200D\\u115F\\u1160\\u2800\\u3164\\uFFA0';
const DIGIT = '[0-9\\u0660-\\u0669\\u06F0-\\u06F9\\uFF10-\\uFF19]';
const SEPARATOR = '[\\s.,:;_/+=\\u002D\\u00B7\\u2010-\\u2015\\u200C\\u200D]';
/** The fewest digits of a card number. */
const CARD_DIGITS = 13;
const NO_CARD_NUMBER = `(?!.*${DIGIT}(?:${SEPARATOR}{0,3}${DIGIT}){${CARD_DIGITS - 1}})`;

/**
 * The JSON Schema pattern of a name: at least one character to see, and none of those that reorder or hide text. The
 * escapes are those that JavaScript, Python and Java share.
 */
export const NAME_PATTERN = `^(?=.*[^${BLANK}])[^${REFUSED}]*$`;

/** The pattern of a name that a payer types: as `NAME_PATTERN`, and without digits enough for a card number. */
export const PAYER_NAME_PATTERN = `^(?=.*[^${BLANK}])${NO_CARD_NUMBER}[^${REFUSED}]*$`;

/** The same for a name that may be left empty. */
export const OPTIONAL_PAYER_NAME_PATTERN = `^$|${PAYER_NAME_PATTERN}`;
