import { signal, type Signal } from '@preact/signals';
import type { OrganiserBootstrap } from '../bootstrap.ts';
import type { MessageKey } from '../i18n/en.ts';
import type { OrganiserKey } from '../i18n/organiser/en.ts';
import type { Translate } from '../i18n/translate.ts';
import { addAmounts, moneyFormat } from '../money/money.ts';
import { groupModel, type GroupModel } from '../state/group-model.ts';
import { useGroupView, type GroupView } from '../ui/view.ts';
import type { OrganiserRight } from './bootstrap.ts';

/** What the organiser is told after an action. */
export type Told = { readonly isGood: boolean; readonly text: string };

export type OrganiserModel = GroupModel & {
  readonly bootstrap: OrganiserBootstrap;
  /** How many payers a reminder would reach now. */
  readonly remindable: Signal<number>;
  /** The action that waits for its answer. */
  readonly pending: Signal<OrganiserRight | null>;
  /** What became of the last action, and which it was. */
  readonly told: Signal<(Told & { readonly of: OrganiserRight }) | null>;
  /** True while the page asks whether the bill is to be called off. */
  readonly asksCancel: Signal<boolean>;
};

export type OrganiserActions = {
  remind(): void;
  extend(expiresAt: string): void;
  cancel(): void;
};

export type OrganiserView = GroupView & {
  readonly model: OrganiserModel;
  readonly t: OrganiserTranslate;
  readonly actions: OrganiserActions;
};
export type OrganiserTranslate = Translate<MessageKey | OrganiserKey>;

/** Only for parts of the organiser's page, whose provider has this view. */
export const useOrganiser = (): OrganiserView => useGroupView() as OrganiserView;

/** The state of the organiser's page, as it is when it opens. */
export function organiserModel(bootstrap: OrganiserBootstrap): OrganiserModel {
  return {
    ...groupModel(bootstrap, signal(new Set<string>())),
    bootstrap,
    remindable: signal(bootstrap.remindable),
    pending: signal(null),
    told: signal(null),
    asksCancel: signal(false),
  };
}

/** Returns the view of the organiser's page. */
export function buildOrganiserView(
  model: OrganiserModel,
  t: OrganiserTranslate,
  actions: OrganiserActions,
): OrganiserView {
  const { written_as: locale, group, payers_path: payersPath } = model.bootstrap;
  const money = moneyFormat(locale, group.currency, group.fraction_digits);
  const sum: GroupView['sum'] = (slots) => money(addAmounts(slots.map(({ amount }) => amount)));
  const friendsPath = `${payersPath}/friends`;
  return { model, t, locale, money, sum, payersPath, friendsPath, isFramed: false, actions };
}

/** The actions of the page that the server draws: nobody is there to act. */
export const INERT_ORGANISER: OrganiserActions = {
  remind: () => undefined,
  extend: () => undefined,
  cancel: () => undefined,
};
