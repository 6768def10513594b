import { batch, computed, signal, type ReadonlySignal, type Signal } from '@preact/signals';
import type { FunctionComponent } from 'preact';
import type { publicApi } from '@gp/contracts';
import type { Bootstrap } from '../bootstrap.ts';
import type { Reason } from '../net/next-step.ts';
import { firstSelection, type Loss } from '../slots/selection.ts';
import type { Slot } from '../slots/slot.ts';
import { groupModel, type GroupModel } from './group-model.ts';
import type { Begun, Made, Saved } from './saved.ts';

/** The step this payer is at. `paying` still shows the card form, so that another card can be entered. */
export type Step = 'choose' | 'reserving' | 'card' | 'paying' | 'leaving' | 'checking' | 'done';

/** A message for this payer, with the next step in the sentence or on the page. */
export type Notice =
  | { readonly kind: 'reason'; readonly reason: Reason | 'holdLost' | 'chooseFirst' }
  | { readonly kind: 'lost'; readonly losses: readonly Loss[] };

/** Why a request has no response yet, and when it is sent again, epoch ms of the server. */
export type Waiting = { readonly because: 'offline' | 'away' | 'limited'; readonly until: number };

/**
 * The state of this payer's reservation: `none`, `asked` (accepted, not yet in the live picture) or `seen`. After a
 * declined card it is `refused` or `freeing`, as it was not or was in the picture: the shares are this payer's until the
 * picture shows them free. Then, or when it lapsed, it is `gone`.
 */
export type Reservation = 'none' | 'asked' | 'seen' | 'refused' | 'freeing' | 'gone';

/** Returns whether the next try has to take the shares again. */
export const isOver = (reservation: Reservation): boolean =>
  reservation === 'refused' || reservation === 'freeing' || reservation === 'gone';

/**
 * Returns a name as it is sent: without characters that nobody sees, which come with copies and suggestions and which the
 * API refuses. The two joiners stay: Persian names and emoji need them.
 */
export const cleanName = (typed: string): string => typed.replace(/[^\P{C}\u200C\u200D]/gu, '').trim();

/** What a page has that offers tips. */
export type TipOffer = {
  readonly Field: FunctionComponent;
  /** Returns slots with the tip of each payment in its first one, whose label says so: of what was paid, or of the next payment. */
  addTips(slots: readonly Slot[], isNext?: boolean): readonly Slot[];
};

/** The parts of the steps after the choice, and of how a group ended. */
export type LaterParts = {
  readonly scenes: Readonly<Record<'card' | 'checking' | 'done' | 'over', FunctionComponent>>;
  readonly Shares: FunctionComponent;
  /** What a merchant without a gateway has in place of the choice. */
  readonly NoGateway: FunctionComponent;
  /** What the button says that takes all shares, once they are chosen. */
  readonly TakeNone: FunctionComponent;
  /** The question whether a further payment is meant, with its amount. */
  readonly PayAgain: FunctionComponent<{ amount: string }>;
  readonly Leave: FunctionComponent;
  /** Takes the bar at the bottom of the choice, and null when it goes. */
  readonly fitBar: (bar: HTMLElement | null) => void;
};

export type Model = GroupModel & {
  readonly bootstrap: Bootstrap;
  /** The id of the share that the link is for. */
  readonly linked: string | undefined;
  readonly selected: Signal<readonly string[]>;
  readonly email: Signal<string>;
  readonly name: Signal<string>;
  /** Whether the other payers may see the name; only while there is one. */
  readonly showsName: Signal<boolean>;
  /** What this payer adds to the next payment, currency units; undefined for nothing. */
  readonly tip: Signal<number | undefined>;
  /** The part that offers tips, once it is loaded; null on pages without. */
  readonly offer: Signal<TipOffer | null>;
  /** The parts of later steps, once they are loaded: until then the page stays at the choice. */
  readonly later: Signal<LaterParts | null>;
  readonly step: Signal<Step>;
  readonly notice: Signal<Notice | null>;
  /** How often this payer's action was refused; each time the page takes the focus to the reason. */
  readonly refusals: Signal<number>;
  /** True while the page asks a payer who has paid already whether to pay once more, or whether it was somebody else. */
  readonly asksAgain: Signal<boolean>;
  /** True once the payer has confirmed that. */
  readonly isMeantAgain: Signal<boolean>;
  readonly waiting: Signal<Waiting | null>;
  readonly begun: Signal<Begun | null>;
  readonly started: Signal<publicApi.PayResponse | null>;
  readonly reservation: Signal<Reservation>;
  readonly made: Signal<readonly Made[]>;
  /** True when an unknown payment takes longer than payers usually accept. */
  readonly isSlow: Signal<boolean>;
  /** Shares this payer has reserved, held or paid, in the order of the group, with the tips of what was paid. */
  readonly mine: ReadonlySignal<readonly Slot[]>;
  /** The shares of the next payment, with its tip. */
  readonly chosen: ReadonlySignal<readonly Slot[]>;
  /** How long this payer's shares stay reserved; undefined while there are none. */
  readonly reservedMs: ReadonlySignal<number | undefined>;
};

/** The state of everything the page shows, as it is when it opens; the flows change it from there. */
export function checkoutModel(bootstrap: Bootstrap): Model {
  const linked = bootstrap.group.slots.find(({ sequence_no }) => sequence_no === bootstrap.slot)?.id;
  const started = signal<publicApi.PayResponse | null>(null);
  const reservation = signal<Reservation>('none');
  const made = signal<readonly Made[]>([]);
  const offer = signal<TipOffer | null>(null);
  const addTips: TipOffer['addTips'] = (some, isNext) => offer.value?.addTips(some, isNext) ?? some;
  const step = signal<Step>('choose');
  const begun = signal<Begun | null>(null);
  const reserved = computed(() => {
    // After a reload only the request is known of a payment whose outcome is not.
    if (step.value === 'checking' || begun.value?.isSubmitted) return begun.value?.request.slot_ids ?? [];
    const isHis = reservation.value !== 'none' && reservation.value !== 'gone';
    // A reservation ends with the time to pay: of money that was never held nothing is said.
    return isHis && group.awaitsPayers.value ? (started.value?.slot_ids ?? []) : [];
  });
  const own = computed(() => new Set([...reserved.value, ...made.value.flatMap(({ slotIds }) => slotIds)]));
  const group: GroupModel = groupModel(bootstrap, own);
  const { live, now, slots, free } = group;
  const selected = signal(
    bootstrap.chooses_free ? free.value.map(({ id }) => id) : firstSelection(slots.value, linked),
  );
  return {
    ...group,
    bootstrap,
    linked,
    selected,
    email: signal(''),
    name: signal(''),
    showsName: signal(false),
    tip: signal<number>(),
    offer,
    later: signal<LaterParts | null>(null),
    step,
    notice: signal<Notice | null>(null),
    refusals: signal(0),
    asksAgain: signal(false),
    isMeantAgain: signal(false),
    waiting: signal<Waiting | null>(null),
    begun,
    started,
    reservation,
    made,
    isSlow: signal(false),
    mine: computed(() => addTips(slots.value.filter(({ id }) => own.value.has(id)))),
    chosen: computed(() =>
      addTips(
        slots.value.filter(({ id }) => selected.value.includes(id)),
        true,
      ),
    ),
    reservedMs: computed(() => {
      const mine = slots.value.filter(
        (slot) => reserved.value.includes(slot.id) && slot.state === 'assigned',
      );
      const until = mine.flatMap(({ heldUntil }) => (heldUntil === null ? [] : [heldUntil]));
      // A share cannot be paid after the group's expiry, however long it is reserved.
      const ends = Date.parse(live.value.expires_at);
      return until.length > 0 ? Math.min(ends, ...until) - now.value : undefined;
    }),
  };
}

/** The payer's input in the server's drawing before the script started. */
export type Early = Pick<Saved, 'selected' | 'email' | 'name'>;

/**
 * Restores what a reload has left, and what the payer entered before this moment. It runs after the first drawing,
 * which must equal the server's.
 */
export function restore(model: Model, saved: Saved, early: Early): void {
  const { linked, selected, bootstrap } = model;
  // A link for a share that is opened over the page of another one chooses its own share; a reload keeps the choice.
  const isChosen =
    !saved.begun && saved.slot !== bootstrap.slot && selected.value.some((id) => id === linked);
  batch(() => {
    if (!isChosen && (saved.selected.length > 0 || saved.made.length > 0)) selected.value = saved.selected;
    if (early.selected.length > 0) model.selected.value = early.selected;
    model.email.value = early.email || saved.email;
    model.name.value = early.name || saved.name;
    model.begun.value = saved.begun ?? null;
    model.made.value = saved.made;
    model.tip.value = saved.begun?.request.tip;
    model.showsName.value = !!saved.begun?.request.show_name;
  });
}

/** Returns what must survive a reload. */
export const toSave = (model: Model): Saved => ({
  selected: model.selected.value,
  slot: model.bootstrap.slot,
  email: model.email.value,
  name: model.name.value,
  begun: model.begun.value ?? undefined,
  made: model.made.value,
});
