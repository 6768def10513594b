/** A text that a spreadsheet would take for a formula; one in a Japanese locale knows the wide characters, too. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;
const NUMBER = /^-?\d+(?:\.\d+)?$/;

/**
 * Returns a CSV line of RFC 4180 with its line break: every field quoted. A text that a spreadsheet would take for a formula gets
 * a leading apostrophe; a number, negative ones included, stays one.
 */
export function csvLine(fields: readonly string[]): string {
  return fields.map(csvField).join(',') + '\r\n';
}

function csvField(text: string): string {
  const safe = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
}
