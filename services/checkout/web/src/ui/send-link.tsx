import { useSignal } from '@preact/signals';
import { nameShare, type Slot } from '../slots/slot.ts';
import { useGroupView } from './view.ts';

/**
 * The link for friends who have not paid yet, to all shares or to one of them: shared through the phone's own menu, or
 * copied. Where the browser refuses both, the page to invite friends has other ways.
 */
export function SendLink({ slot }: { slot?: Slot }) {
  const { payersPath, t } = useGroupView();
  const isCopied = useSignal(false);
  if (payersPath === null) return null;
  const text = slot && nameShare(t, slot);
  const query = slot ? `?slot=${slot.number}` : '';
  const send = async (): Promise<void> => {
    const url = location.origin + payersPath + query;
    if ('share' in navigator) return navigator.share({ title: document.title, ...(text && { text }), url });
    await (navigator as Navigator).clipboard.writeText(url);
    isCopied.value = true;
  };
  const failed = ({ name }: Error): void => {
    // A payer who closes the menu has seen it.
    if (name !== 'AbortError') location.assign(`${payersPath}/friends${query}`);
  };
  return (
    <button type="button" class={slot ? 'link' : 'primary'} onClick={() => void send().catch(failed)}>
      <span aria-live="polite">{isCopied.value ? t('copied') : t('sendLink')}</span>
      {text && <span class="spoken">{text}</span>}
    </button>
  );
}
