/** What the page shows on which payers invite others; `S` is what every page shows of a group. */
export type FriendsPageIn<S> = S & {
  /** The payers' page on this origin. */
  readonly path: string;
  /** The address to share: that of the payers' page, or of it with one share chosen. */
  readonly link: string;
  /** The number of the share that the link is for; absent where it is for all of them. */
  readonly slot?: number;
  /** What a message calls the bill: never a text that chats and mail programs make a link of. */
  readonly called: string;
};
