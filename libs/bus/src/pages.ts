import type { ListPosition } from '@gp/contracts';

/** Bytes of items in one answer: a message takes 1 MB, and what stands around the items is little. */
const MOST_BYTES = 800_000;

/** The first of these items, as many as one answer holds; one in any case. */
export function fitting<Item>(items: readonly Item[]): Item[] {
  let bytes = 0;
  const cut = items.findIndex((item) => (bytes += Buffer.byteLength(JSON.stringify(item))) > MOST_BYTES);
  return items.slice(0, cut === -1 ? items.length : Math.max(1, cut));
}

type Asked = { readonly limit: number; readonly after?: ListPosition };
type Answered = { readonly next: ListPosition | null };

/**
 * Asks a list that answers with what fits into a message, and on behind its last item, until there are `limit` items or
 * no more: the first answer, the items of all of them and where the next page begins. `ask` ends by its own deadline.
 */
export async function wholePage<Request extends Asked, Answer extends Answered, Item>(
  ask: (request: Request) => Promise<Answer>,
  request: Request,
  itemsOf: (answer: Answer) => readonly Item[],
): Promise<{ first: Answer; items: Item[]; next: ListPosition | null }> {
  const first = await ask(request);
  const items = [...itemsOf(first)];
  let { next } = first;
  while (next !== null && items.length < request.limit) {
    const answer = await ask({ ...request, after: next, limit: request.limit - items.length });
    items.push(...itemsOf(answer));
    next = answer.next;
  }
  return { first, items, next };
}
