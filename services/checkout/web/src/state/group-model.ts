import { computed, signal, type ReadonlySignal, type Signal } from '@preact/signals';
import type { Bootstrap } from '../bootstrap.ts';
import { readFacts } from '../group-facts.ts';
import type { Live } from '../net/picture.ts';
import { isFree } from '../slots/selection.ts';
import { isSecured, type Slot } from '../slots/slot.ts';

/** What every page about a group begins with. */
export type GroupBootstrap = Pick<
  Bootstrap,
  'mode' | 'payee' | 'logo' | 'group' | 'sentences' | 'server_time'
>;

/** What every page about a group shows of it. */
export type GroupModel = {
  readonly bootstrap: GroupBootstrap;
  readonly now: Signal<number>;
  readonly live: Signal<Live>;
  /** True once the page runs in a browser; the server's drawing has neither time zone nor saved state. */
  readonly isRunning: Signal<boolean>;
  /** True when the data shown has not been confirmed for longer than a moment. */
  readonly isStale: Signal<boolean>;
  /** The text for screen readers, announced politely and once. */
  readonly spoken: Signal<string>;
  readonly slots: ReadonlySignal<readonly Slot[]>;
  /** Shares that the reader of the page has reserved, held or paid. */
  readonly own: ReadonlySignal<ReadonlySet<string>>;
  readonly free: ReadonlySignal<readonly Slot[]>;
  readonly secured: ReadonlySignal<readonly Slot[]>;
  /** True while the group is collecting and a payer has still to pay. */
  readonly awaitsPayers: ReadonlySignal<boolean>;
  readonly groupLeftMs: ReadonlySignal<number>;
};

/** The state of a group on a page, as it is when the page opens. */
export function groupModel(bootstrap: GroupBootstrap, own: GroupModel['own']): GroupModel {
  const { group } = bootstrap;
  const shares = new Map(
    group.slots.map(({ id, sequence_no: number, amount_minor, label }) => [
      id,
      { number, amount: BigInt(amount_minor), label },
    ]),
  );
  const live = signal<Live>(group);
  const now = signal(Date.parse(bootstrap.server_time));
  const slots = computed<readonly Slot[]>(() =>
    live.value.slots.flatMap(({ id, state, held_until, shown_name: name }) => {
      const share = shares.get(id);
      return share
        ? [{ id, ...share, name, state, heldUntil: held_until === null ? null : Date.parse(held_until) }]
        : [];
    }),
  );
  return {
    bootstrap,
    now,
    live,
    isRunning: signal(false),
    isStale: signal(false),
    spoken: signal(''),
    slots,
    own,
    free: computed(() => slots.value.filter(isFree)),
    secured: computed(() => slots.value.filter(isSecured)),
    awaitsPayers: computed(() => readFacts(live.value).awaits_payers),
    groupLeftMs: computed(() => Date.parse(live.value.expires_at) - now.value),
  };
}
