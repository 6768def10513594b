import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { TimeLeft } from '../clock/countdown.ts';
import type { Pay, Submit } from '../gateways/card-form.ts';
import type { Translate } from '../i18n/translate.ts';
import type { OwnPayments } from '../net/payments.ts';
import type { Slot } from '../slots/slot.ts';
import type { GroupModel } from '../state/group-model.ts';
import type { Model } from '../state/model.ts';

/** The actions of a payer. Without a browser (the server draws the page) they do nothing. */
export type Actions = {
  toggle(slotId: string): void;
  /** Chooses every available share, or none where all are chosen. */
  takeAll(): void;
  begin(): void;
  /** Sends the card, or by `submit` what the payer agreed to outside of its fields. */
  pay(holder: string, submit?: Submit): Promise<void>;
  change(): void;
  tryAgain(): void;
  payAnother(): void;
  /** The answers to whether a further payment is meant. */
  payAgain(): void;
  leaveIt(): void;
  forget(): void;
  /** Hides the name of a payment of this payer from the others. */
  readonly hideName: OwnPayments['hideName'];
  dismiss(): void;
  /** Fetches the card form and shows it in its place, with its buttons above; rejects when it cannot be loaded. */
  mountCard(place: HTMLElement, pay: Pay): Promise<void>;
  unmountCard(): void;
};

/** What the parts need that every page about a group has. */
export type GroupView = {
  readonly model: GroupModel;
  readonly t: Translate;
  readonly locale: string;
  readonly money: (minor: bigint) => string;
  /** Returns what slots cost together, as money. */
  readonly sum: (slots: readonly Slot[]) => string;
  /** The path of the payers' page, on this origin; null where its address is not ours to give. */
  readonly payersPath: string | null;
  /** The path of the page on which payers invite others, on this origin; null where it is not known. */
  readonly friendsPath: string | null;
  /** Whether the page stands in a frame: links then open a tab. */
  readonly isFramed: boolean;
};

export type View = GroupView & { readonly model: Model; readonly actions: Actions };

const context = createContext<GroupView | undefined>(undefined);
export const ViewProvider = context.Provider;

/** Every part is drawn inside of a page, which provides its view. */
export const useGroupView = (): GroupView => useContext(context) as GroupView;

/** Only for parts of the payers' page, whose provider has this view. */
export const useView = (): View => useGroupView() as View;

/** Returns the text of a remaining time. */
export const timeText = (t: Translate, left: TimeLeft): string =>
  'text' in left ? left.text : t(left.unit, left);
