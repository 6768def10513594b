import { useSignal } from '@preact/signals';
import { isFree } from '../slots/selection.ts';
import { findLook, isSecured, type Look, type Slot } from '../slots/slot.ts';
import { Icon } from './icons.tsx';
import { SendLink } from './send-link.tsx';
import { useView } from './view.ts';

const icons = { held: 'lock', paid: 'check', refunded: 'undo' } as const;

/** All shares and their states; a payer who has paid sends the link of each available one. */
export function Shares() {
  const { model, t } = useView();
  return (
    <section class="shares" aria-labelledby="shares-title">
      <h2 id="shares-title">{t('shares')}</h2>
      <ul class="grid">
        {model.slots.value.map((slot) => (
          <li key={slot.id} class={tileClass(findLook(slot), model.own.value.has(slot.id), false)}>
            <Tile slot={slot} />
            {model.step.value === 'done' && isFree(slot) && <SendLink slot={slot} />}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The same list, to choose from. */
export function ChooseShares() {
  const { model, t, sum, actions } = useView();
  const focused = useSignal<string | null>(null);
  const free = model.free.value;
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
          const canBeChosen = isFree(slot) || (model.own.value.has(slot.id) && !isSecured(slot));
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
      {free.length > 1 && free.length > model.chosen.value.length && (
        <button type="button" class="link" onClick={actions.takeAll}>
          {t.many('takeAll', free.length, { amount: sum(free) })}
        </button>
      )}
    </fieldset>
  );
}

function Tile({ slot, isChosen = false }: { slot: Slot; isChosen?: boolean }) {
  const { model, t, money } = useView();
  const look = findLook(slot);
  const isOwn = model.own.value.has(slot.id);
  return (
    <>
      <span class="tile-number">
        {t('share', { n: slot.number })} {isOwn && <em class="own">{t('yours')}</em>}{' '}
        {slot.name && <bdi>{slot.name}</bdi>}
      </span>
      <span class="tile-amount">{money(slot.amount)}</span>
      {slot.label && (
        <span>
          <bdi>{slot.label}</bdi>
        </span>
      )}
      <span class="tile-state">
        {isChosen ? (
          <Icon name="check" />
        ) : look in icons ? (
          <Icon name={icons[look as keyof typeof icons]} />
        ) : (
          <i class="dot" />
        )}
        {isChosen && look === 'free' ? t('chosen') : t(look)}
      </span>
    </>
  );
}

const tileClass = (look: Look, isOwn: boolean, isChosen: boolean): string =>
  ['tile', `tile-${look}`, isOwn && 'tile-own', isChosen && 'tile-chosen'].filter(Boolean).join(' ');
