import { findLook, type Look, type Slot } from '../slots/slot.ts';
import { Icon } from './icons.tsx';
import { useView } from './view.ts';

const icons = { held: 'lock', paid: 'check', refunded: 'undo' } as const;

/** A share with its amount and its state. */
export function Tile({ slot, isChosen = false }: { slot: Slot; isChosen?: boolean }) {
  const { model, t, money } = useView();
  const look = findLook(slot);
  const isOwn = model.own.value.has(slot.id);
  // Without a gateway nobody can pay: such a share is not said to be available.
  const isSaid = look !== 'free' || model.bootstrap.gateway !== null;
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
      {isSaid && (
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
      )}
    </>
  );
}

/** Returns the classes of the element around it. */
export const tileClass = (look: Look, isOwn: boolean, isChosen: boolean): string =>
  ['tile', `tile-${look}`, isOwn && 'tile-own', isChosen && 'tile-chosen'].filter(Boolean).join(' ');
