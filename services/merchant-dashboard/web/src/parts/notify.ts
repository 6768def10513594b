/** A sentence that says what was done, shown for a moment beside the content. */
export type Notice = { readonly id: number; readonly text: string };

let notices: readonly Notice[] = [];
let lastId = 0;
const readers = new Set<() => void>();

function change(next: readonly Notice[]): void {
  notices = next;
  for (const read of readers) read();
}

/** Shows a sentence on whatever screen is open. */
export const notify = (text: string): void => change([...notices, { id: (lastId += 1), text }]);

/** Takes a notice away. */
export const dismiss = (id: number): void => change(notices.filter((notice) => notice.id !== id));

/** The store that React reads notices from. */
export const noticeStore = {
  read: (): readonly Notice[] => notices,
  subscribe(read: () => void): () => void {
    readers.add(read);
    return () => void readers.delete(read);
  },
};
