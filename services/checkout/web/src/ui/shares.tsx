import { isFree } from '../slots/selection.ts';
import { findLook } from '../slots/slot.ts';
import { SendLink } from './send-link.tsx';
import { Tile, tileClass } from './tile.tsx';
import { useView } from './view.ts';

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
