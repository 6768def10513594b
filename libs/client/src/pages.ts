type Page = { readonly pagination: { readonly next_cursor?: string | null } };

/**
 * Yields every item of a list, page after page; each page is requested when it is needed:
 * `for await (const group of each((cursor) => client.listGroupPayments(cursor), (page) => page.group_payments))`.
 * Items that are created meanwhile neither repeat nor hide others.
 */
export async function* each<P extends Page, T>(
  ask: (query: { cursor?: string }) => Promise<P>,
  listItems: (page: P) => readonly T[],
): AsyncGenerator<T, void, undefined> {
  let cursor: string | undefined;
  do {
    const page = await ask(cursor === undefined ? {} : { cursor });
    yield* listItems(page);
    cursor = page.pagination.next_cursor ?? undefined;
  } while (cursor !== undefined);
}
