/** A run of digits that is as long as a card number or longer. */
export const digitRun = String.raw`\d{13,}`;

/** What may stand in a run of digits when it is a card number: 13 to 19 digits that start like a card. */
const likeCard = /[2-6]\d{12,18}/;
/** An id of a request has digits at random, and support finds the request by it. */
const requestIdBefore = /(?<![\da-z])req_$/i;
const requestIdLength = 24;

/**
 * Returns whether a run of digits at `start` of a text has to be masked: when it may be a card number. Alone, beside signs or
 * beside a word it always may, mistyped or not. In a token that reads like an id, which is hexadecimal with letters or has
 * further digits between letters, it may when some of its digits pass the check that every card number passes; those of a
 * random id do so by chance in one of four. Our own ids of requests are left as they are.
 */
export function mayBeCard(run: string, start: number, text: string): boolean {
  if (!likeCard.test(run)) return false;
  const before = /[\da-z]*$/i.exec(text.slice(Math.max(0, start - 64), start))?.[0] ?? '';
  const after = /^[\da-z]*/i.exec(text.slice(start + run.length, start + run.length + 64))?.[0] ?? '';
  const rest = before + after;
  if (!/[a-z]/i.test(rest)) return true;
  const isHex = /^[\da-f]+$/i.test(rest);
  const head = text.slice(Math.max(0, start - before.length - 5), start - before.length);
  const isRequestId = requestIdBefore.test(head) && rest.length + run.length === requestIdLength;
  if (isHex && isRequestId) return false;
  return isHex || /\d/.test(rest) ? hasCardIn(run) : true;
}

/** Returns whether 13 to 19 digits in a row start like a card and have the right check digit. */
function hasCardIn(run: string): boolean {
  for (let start = 0; start + 13 <= run.length; start++) {
    if (!/[2-6]/.test(run.charAt(start))) continue;
    for (let length = 13; length <= Math.min(19, run.length - start); length++)
      if (passesLuhn(run.slice(start, start + length))) return true;
  }
  return false;
}

function passesLuhn(digits: string): boolean {
  const values = Array.from(digits, Number).reverse();
  const sum = values.reduce((total, digit, index) => {
    const value = index % 2 === 1 ? digit * 2 : digit;
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}
