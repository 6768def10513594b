import type { Opened } from './flow/start.ts';
import { goBackToChoice } from './flow/notices.ts';
import type { Translate } from './i18n/translate.ts';
import { addAmounts, moneyFormat } from './money/money.ts';
import { firstSelection } from './slots/selection.ts';
import type { Model } from './state/model.ts';
import { focusTitle } from './ui/focus-title.ts';
import type { Actions, View } from './ui/view.ts';

/** Returns the view of the page. */
export function buildView(model: Model, t: Translate, actions: Actions): View {
  const { written_as: locale, group, session_path, friends_path, kind } = model.bootstrap;
  const money = moneyFormat(locale, group.currency, group.fraction_digits);
  const sum: View['sum'] = (slots) => money(addAmounts(slots.map(({ amount }) => amount)));
  const payersPath = session_path?.replace(/\/session$/, '') ?? null;
  const friendsPath = payersPath === null ? (friends_path ?? null) : `${payersPath}/friends`;
  return { model, t, locale, money, sum, payersPath, friendsPath, isFramed: kind === 'embed', actions };
}

/** Returns the actions of the buttons. */
export function buildActions({ model, context, forget, loadSteps }: Opened): Actions {
  const choose = (ids: readonly string[]): void => {
    model.selected.value = ids;
    model.notice.value = null;
    model.asksAgain.value = false;
  };
  const begin = async (): Promise<void> => {
    // The button answers at once, also where the file has yet to come.
    model.step.value = 'reserving';
    const steps = await loadSteps();
    model.step.value = 'choose';
    await steps.begin(context);
  };
  return {
    toggle: (id) =>
      choose(
        model.selected.value.includes(id)
          ? model.selected.value.filter((other) => other !== id)
          : [...model.selected.value, id],
      ),
    takeAll() {
      const { value: free } = model.free;
      choose(free.length > model.chosen.value.length ? free.map(({ id }) => id) : []);
    },
    begin: () => void begin(),
    pay: async (holder, submit) => (await loadSteps()).pay(context, holder, submit),
    change() {
      model.notice.value = null;
      // What was begun is kept: the same choice continues with it, also after a reload.
      model.step.value = 'choose';
    },
    tryAgain: () => void loadSteps().then(({ tryAgain }) => tryAgain(context)),
    payAnother() {
      choose(firstSelection(model.slots.value));
      model.step.value = 'choose';
    },
    payAgain() {
      model.asksAgain.value = false;
      model.isMeantAgain.value = true;
      void begin();
    },
    leaveIt() {
      choose([]);
      // A further payment that was begun is not gone on with after a reload.
      goBackToChoice(context);
      model.isMeantAgain.value = false;
      model.step.value = 'done';
      focusTitle();
    },
    forget,
    hideName: context.hideName,
    dismiss: () => (model.notice.value = null),
    mountCard: async (place, payBy) => (await loadSteps()).mountCard(context, place, payBy),
    unmountCard() {
      context.cardForm?.unmount();
      context.cardForm = undefined;
    },
  };
}
