/** Instants as `to_jsonb` writes them are text; the domain counts epoch milliseconds. */
export const ms = (text: string): number => Date.parse(text);
export const msOrNull = (text: string | null): number | null => (text === null ? null : Date.parse(text));
export const iso = (at: number): string => new Date(at).toISOString();
export const isoOrNull = (at: number | null): string | null => (at === null ? null : iso(at));
export const instantOrNull = (at: number | null): Date | null => (at === null ? null : new Date(at));
