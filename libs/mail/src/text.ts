export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Mail programs make links of addresses without a scheme, too. */
const LINK = /:\/\/|[\p{L}\p{N}-]\.\p{L}{2,}/u;

/** Returns true for a text that a mail program could make a link of: a stranger may have chosen it. */
export const readsAsLink = (text: string): boolean => LINK.test(text);
