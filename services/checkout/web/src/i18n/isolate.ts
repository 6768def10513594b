/**
 * Returns the sentences of a language that is written from right to left, with every value in the signs that keep its
 * own direction (first strong isolate, U+2068 and U+2069): an amount or a name moves no sign around it.
 */
export const isolateValues = <M extends object>(messages: M): M =>
  JSON.parse(JSON.stringify(messages).replaceAll(/\{\w+\}/g, '\u2068$&\u2069')) as M;
