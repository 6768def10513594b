import { isFree } from '../slots/selection.ts';
import { findLook, type Look, type Slot } from '../slots/slot.ts';
import { Icon } from '../ui/icons.tsx';
import { SendLink } from '../ui/send-link.tsx';
import { useOrganiser, type OrganiserTranslate } from './model.ts';

const icons = { held: 'lock', paid: 'check', refunded: 'undo' } as const;

/** Every share with its label, the name of its payer if he agreed, its amount and its state in words, and the link of each that is available. */
export function SlotList() {
  const { model, t } = useOrganiser();
  return (
    <section class="shares" aria-labelledby="shares-title">
      <h2 id="shares-title">{t('shares')}</h2>
      <ul class="rows">
        {model.slots.value.map((slot) => (
          <Row key={slot.id} slot={slot} />
        ))}
      </ul>
    </section>
  );
}

function Row({ slot }: { slot: Slot }) {
  const { model, t, money } = useOrganiser();
  const look = findLook(slot);
  return (
    <li class={`slot-row tile-${look}`}>
      <span class="slot-name">
        {t('share', { n: slot.number })}
        {slot.label && (
          <span class="slot-label">
            <bdi>{slot.label}</bdi>
          </span>
        )}
        {slot.name && (
          <span class="slot-payer">
            <bdi>{slot.name}</bdi>
          </span>
        )}
      </span>
      <span class="slot-amount">{money(slot.amount)}</span>
      <span class="tile-state">
        {look in icons ? <Icon name={icons[look as keyof typeof icons]} /> : <i class="dot" />}
        {describeLook(t, look, model.awaitsPayers.value)}
      </span>
      {model.awaitsPayers.value && isFree(slot) && <SendLink slot={slot} />}
    </li>
  );
}

/** Returns the state of a share in words. */
function describeLook(t: OrganiserTranslate, look: Look, isOpen: boolean): string {
  if (isOpen && look === 'busy') return t('busyNow');
  if (isOpen && look === 'held') return t('heldNow');
  return t(look);
}
