/**
 * An organiser who opens the page to invite friends goes back to the organiser's page. Its address is a secret, which the page to
 * invite friends must not have: the tab alone keeps it, under the path of the payers' page.
 */
const key = (payersPath: string): string => `organiser of ${payersPath}`;

/** Keeps the way back to the organiser's page while this tab is open. */
export function keepWayBack(
  { path, payers_path }: { readonly path: string; readonly payers_path: string },
  tab: () => Storage = () => sessionStorage,
): void {
  try {
    tab().setItem(key(payers_path), path);
  } catch {
    // A browser that stores nothing goes back to the payers' page.
  }
}

/** Returns the path of the organiser's page where this tab comes from there; null otherwise. */
export function findWayBack(payersPath: string, tab: () => Storage = () => sessionStorage): string | null {
  try {
    return tab().getItem(key(payersPath));
  } catch {
    return null;
  }
}
