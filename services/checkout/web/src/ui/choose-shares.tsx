import { useSignal } from '@preact/signals';
import { isFree } from '../slots/selection.ts';
import { findLook, isSecured } from '../slots/slot.ts';
import { Tile, tileClass } from './tile.tsx';
import { useView } from './view.ts';

/** All shares, to choose from. */
export function ChooseShares() {
  const { model, t, sum, actions } = useView();
  const focused = useSignal<string | null>(null);
  const free = model.free.value;
  const { TakeNone } = model.later.value ?? {};
  return (
    <fieldset class="shares">
      <legend>
        <h2 id="step-title" tabIndex={-1}>
          {t('choose')}
        </h2>
      </legend>
      <p class="hint">{free.length > 0 ? t('chooseHint') : t('noneFree')}</p>
      <ul class="grid">
        {model.slots.value.map((slot) => {
          const isChosen = model.selected.value.includes(slot.id);
          // What is chosen can be given up, also a share whose payment still waits for the bank.
          const canBeChosen = isChosen || isFree(slot) || (model.own.value.has(slot.id) && !isSecured(slot));
          return (
            <li key={slot.id}>
              <label class={tileClass(findLook(slot), model.own.value.has(slot.id), isChosen)}>
                <input
                  type="checkbox"
                  value={slot.id}
                  checked={isChosen}
                  // A focused share that another payer takes keeps the focus until the payer leaves it.
                  disabled={!canBeChosen && focused.value !== slot.id}
                  aria-disabled={!canBeChosen}
                  onFocus={() => (focused.value = slot.id)}
                  onBlur={() => (focused.value = null)}
                  onChange={(event) => {
                    if (canBeChosen) actions.toggle(slot.id);
                    event.currentTarget.checked = model.selected.value.includes(slot.id);
                  }}
                />
                <Tile slot={slot} isChosen={isChosen} />
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
