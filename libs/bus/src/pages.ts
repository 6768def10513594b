import type { ListPosition } from '@gp/contracts';

/** Bytes of items in one reply: a message takes 1 MB, and the rest of the reply is small. */
const MOST_BYTES = 800_000;

/** Returns as many of the first items as one reply holds, but at least one. */
export function fitting<Item>(items: readonly Item[]): Item[] {
  let bytes = 0;
  const cut = items.findIndex((item) => (bytes += Buffer.byteLength(JSON.stringify(item))) > MOST_BYTES);
  return items.slice(0, cut === -1 ? items.length : Math.max(1, cut));
}

type Asked = { readonly limit: number; readonly after?: ListPosition };
type Answered = { readonly next: ListPosition | null };

/**
 * Reads a list whose replies hold as many items as fit into a message, one reply after the other, until there
 * are `limit` items or no more. Returns the first reply, the items of all of them and where the next page
 * begins. `ask` ends by its own deadline.
 */
export async function wholePage<Request extends Asked, Answer extends Answered, Item>(
  ask: (request: Request) => Promise<Answer>,
  request: Request,
  listItems: (answer: Answer) => readonly Item[],
): Promise<{ first: Answer; items: Item[]; next: ListPosition | null }> {
  const first = await ask(request);
  const items = [...listItems(first)];
  let { next } = first;
  while (next !== null && items.length < request.limit) {
    const answer = await ask({ ...request, after: next, limit: request.limit - items.length });
    items.push(...listItems(answer));
    next = answer.next;
  }
  return { first, items, next };
}

/**
 * Reads a list of which one reply may hold a part only, one reply after the other. Returns the first reply and the items of
 * all of them. `ask` ends by its own deadline.
 */
export async function wholeList<
  Request extends { readonly skip: number },
  Answer extends { is_cut: boolean },
  Item,
>(
  ask: (request: Request) => Promise<Answer>,
  request: Request,
  listItems: (answer: Answer) => readonly Item[],
): Promise<{ first: Answer; items: Item[] }> {
  const first = await ask(request);
  const items = [...listItems(first)];
  let isCut = first.is_cut;
  while (isCut) {
    const answer = await ask({ ...request, skip: request.skip + items.length });
    items.push(...listItems(answer));
    isCut = answer.is_cut;
  }
  return { first, items };
}
