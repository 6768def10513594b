import { isFree } from '../slots/selection.ts';
import { findLook } from '../slots/slot.ts';
import { SendLink } from './send-link.tsx';
import { Tile, tileClass } from './tile.tsx';
import { useView } from './view.ts';

/**
 * All shares and their states. A payer who has paid can send the link of each available share. After a declined card, the
 * payer's shares are available to everybody again, and this page still shows them as chosen (B8).
 */
export function Shares() {
  const { model, t } = useView();
  return (
    <section class="shares" aria-labelledby="shares-title">
      <h2 id="shares-title">{t('shares')}</h2>
      <ul class="grid">
        {model.slots.value.map((slot) => {
          const isChosen = isFree(slot) && model.selected.value.includes(slot.id);
          return (
            <li key={slot.id} class={tileClass(findLook(slot), model.own.value.has(slot.id), isChosen)}>
              <Tile slot={slot} isChosen={isChosen} />
              {model.step.value === 'done' && isFree(slot) && <SendLink slot={slot} />}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
