import { useView } from './view.ts';

type Box = {
  readonly checked: boolean;
  readonly disabled?: boolean;
  readonly onChange: (event: { readonly currentTarget: HTMLInputElement }) => void;
};

/** Whether the others may see this payer's name (Q97). */
export function ShowName(box: Box) {
  const { t } = useView();
  return (
    <label class="check">
      <input type="checkbox" {...box} />
      {t('showName')}
    </label>
  );
}
