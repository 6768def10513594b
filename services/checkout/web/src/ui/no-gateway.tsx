import { Icon } from './icons.tsx';
import { Shares } from './shares.tsx';
import { useView } from './view.ts';

/** Nothing can be paid until the merchant has a gateway, so nothing is offered to choose. */
export function NoGateway() {
  const { t } = useView();
  return (
    <div class="step">
      <div class="alert-place" role="alert">
        <div class="notice">
          <Icon name="info" />
          <p>{t('noGateway')}</p>
        </div>
      </div>
      <Shares />
    </div>
  );
}
