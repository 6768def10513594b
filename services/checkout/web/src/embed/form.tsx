import { render } from 'preact';
import type { Bootstrap } from '../bootstrap.ts';
import { findBank } from '../gateways/find-bank.ts';
import { loadLaterMessages } from '../i18n/load.ts';
import { translator } from '../i18n/translate.ts';
import { mountCheckout } from '../mount.tsx';
import { pageTitle } from '../title.ts';
import { dressForm } from './dress.ts';
import { shopHost } from './host.ts';
import type { FormLook } from './look.ts';
import { admit, Refused } from './server.ts';
import type { Session, ShopPage } from './shop-page.ts';

type Place = {
  readonly page: ShopPage;
  readonly origin: string;
  readonly root: HTMLElement;
  readonly look: FormLook;
};

/** Shows the payment form of the page's session; reports failures to the page, and offers another try. */
export async function openForm(place: Place): Promise<void> {
  const { page, root } = place;
  try {
    const { session, bootstrap } = await begin(place);
    const bank = findBank(bootstrap.gateway);
    page.send({ type: 'opened', bankOrigins: bank === undefined ? [] : [bank] });
    const host = shopHost(page, session, bootstrap);
    dressForm(place.look, session.theme.accentColor ?? bootstrap.brand_color);
    render(null, root);
    document.title = pageTitle(bootstrap);
    // The merchant has changed gateways: a fresh frame's policy allows the new one, and the begun payment
    // continues.
    await mountCheckout({ bootstrap, host, root, reopen: () => location.reload() });
  } catch (error) {
    // A page without a session has reported that itself.
    if (error instanceof Refused) page.send({ type: 'error', message: error.message });
    await showProblem(place);
  }
}

/** The token may have ended while the page was suspended: then it tries once more with a new one. */
async function begin({ page, origin }: Place): Promise<{ session: Session; bootstrap: Bootstrap }> {
  const session = await page.session();
  try {
    return { session, bootstrap: await admit({ token: session.token, origin }) };
  } catch (error) {
    if (!(error instanceof Refused) || error.status !== 401) throw error;
    const fresh = await page.refresh();
    return { session: fresh, bootstrap: await admit({ token: fresh.token, origin }) };
  }
}

async function showProblem(place: Place): Promise<void> {
  const t = translator(document.documentElement.lang, await loadLaterMessages());
  const again = (): void => {
    render(null, place.root);
    place.page.refresh().catch(() => undefined);
    void openForm(place);
  };
  const problem = (
    <div class="page">
      <div class="problem" role="alert">
        <h1>{t('problemUnavailable')}</h1>
        <p>{t('problemUnavailableText')}</p>
      </div>
      <button type="button" class="primary again" onClick={again}>
        {t('tryAgain')}
      </button>
    </div>
  );
  render(problem, place.root);
}
