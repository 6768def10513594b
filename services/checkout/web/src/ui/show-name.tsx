import type { InputHTMLAttributes } from 'preact';
import { useView } from './view.ts';

/** Whether the others may see this payer's name (Q97). */
export function ShowName(box: InputHTMLAttributes<HTMLInputElement>) {
  const { t } = useView();
  return (
    <label class="check">
      <input type="checkbox" {...box} />
      {t('showName')}
    </label>
  );
}
