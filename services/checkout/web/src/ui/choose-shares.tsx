import { useSignal } from '@preact/signals';
import { isFree } from '../slots/selection.ts';
import { findLook, isSecured, type Slot } from '../slots/slot.ts';
import { Tile, tileClass } from './tile.tsx';
import { useView } from './view.ts';

/** All shares, to choose from. */
export function ChooseShares() {
  const { model, t, sum, actions } = useView();
  const focused = useSignal<string | null>(null);
  const free = model.free.value;
  const { TakeNone } = model.later.value ?? {};
  const isChosen = ({ id }: Slot): boolean => model.selected.value.includes(id);
  const isOwn = ({ id }: Slot): boolean => model.own.value.has(id);
  // What is chosen can be given up, also a share whose payment still waits for the bank.
  const canBeChosen = (slot: Slot): boolean =>
    isChosen(slot) || isFree(slot) || (isOwn(slot) && !isSecured(slot));
  return (
    <fieldset class="shares">
      <legend>
        <h2 id="step-title" tabIndex={-1}>
          {t('choose')}
        </h2>
      </legend>
      <p class="hint">{t(model.slots.value.some(canBeChosen) ? 'chooseHint' : 'noneFree')}</p>
      <ul class="grid">
        {model.slots.value.map((slot) => {
          const canBe = canBeChosen(slot);
          return (
            <li key={slot.id}>
              <label class={tileClass(findLook(slot), isOwn(slot), isChosen(slot))}>
                <input
                  type="checkbox"
                  value={slot.id}
                  checked={isChosen(slot)}
                  // A focused share that another payer takes keeps the focus until the payer leaves it.
                  disabled={!canBe && focused.value !== slot.id}
                  aria-disabled={!canBe}
                  onFocus={() => (focused.value = slot.id)}
                  onBlur={() => (focused.value = null)}
                  onChange={(event) => {
                    if (canBe) actions.toggle(slot.id);
                    event.currentTarget.checked = isChosen(slot);
                  }}
                />
                <Tile slot={slot} isChosen={isChosen(slot)} />
              </label>
            </li>
          );
        })}
      </ul>
      {free.length > 1 && (
        <button type="button" class="link" onClick={actions.takeAll}>
          {TakeNone && free.length <= model.chosen.value.length ? (
            <TakeNone />
          ) : (
            t.many('takeAll', free.length, { amount: sum(free) })
          )}
        </button>
      )}
    </fieldset>
  );
}
