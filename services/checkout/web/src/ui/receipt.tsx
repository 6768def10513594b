import { findLook, nameShare } from '../slots/slot.ts';
import { findBeginning, type Made } from '../state/saved.ts';
import { focusTitle } from './focus-title.ts';
import { ShowName } from './show-name.tsx';
import { useView } from './view.ts';

/** This payer's payments, each with what proves it, to keep or to print. */
export function Receipts() {
  const { model, t } = useView();
  const { made, bootstrap } = model;
  if (made.value.length === 0) return null;
  return (
    <>
      {made.value.map((one) => (
        <Receipt key={one.intentId} made={one} />
      ))}
      {bootstrap.kind === 'page' && (
        <button type="button" class="link" onClick={() => print()}>
          {t('print')}
        </button>
      )}
    </>
  );
}

/** The receipt of a payment, and the box with which its payer takes back that the others see the name. */
function Receipt({ made: { intentId, slotIds } }: { made: Made }) {
  const { model, t, sum, locale, actions } = useView();
  const { payee, group } = model.bootstrap;
  const slots = model.mine.value.filter(({ id }) => slotIds.includes(id));
  const states = new Set(slots.map((slot) => t(findLook(slot))));
  const at = findBeginning(intentId);
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short' });
  const lines = [
    payee === null ? group.name : t('payTo', { payee }),
    [sum(slots), ...states].join(' · '),
    [group.name, ...slots.map((slot) => nameShare(t, slot))].join(' · '),
    at === undefined ? '' : date.format(at),
    t('order', { id: group.order_id }),
    t('reference', { id: intentId }),
  ];
  return (
    <>
      <ul class="receipt">{lines.map((line) => line && <li key={line}>{line}</li>)}</ul>
      {slots.some(({ name }) => name) && (
        <ShowName
          checked
          onChange={({ currentTarget: box }) =>
            void actions.hideName(intentId).then(({ kind }) => {
              box.checked = kind !== 'ok';
              // The box goes with the name.
              if (!box.checked) focusTitle();
            })
          }
        />
      )}
    </>
  );
}
