const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Order numbers are twelve characters: four digits, which settlement needs, and eight letters or digits. */
export const ORDER_NUMBER = /^[0-9]{4}[A-Za-z0-9]{0,8}$/;

/** Returns a fresh order number out of 2·10¹⁸; `draw(n)` returns a random whole number below n. */
export function orderNumber(draw: (below: number) => number): string {
  const digits = String(draw(10_000)).padStart(4, '0');
  return digits + Array.from({ length: 8 }, () => LETTERS[draw(LETTERS.length)]).join('');
}
