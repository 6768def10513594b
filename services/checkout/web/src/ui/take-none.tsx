import { useView } from './view.ts';

/** What the button that takes all shares says once they are chosen: its press then gives them back. */
export function TakeNone() {
  const { t } = useView();
  return <>{t('takeNone')}</>;
}
