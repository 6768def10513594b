import './style/page.css';
import { BOOTSTRAP_ID, ROOT_ID, type Bootstrap } from './bootstrap.ts';
import { pageHost } from './flow/host-page.ts';
import { mountCheckout } from './mount.tsx';

/** The merchant has changed gateways during a payment: the policy of a fresh page allows the new one. */
function reopen(pspCode: string): void {
  const address = new URL(location.href);
  address.search = new URLSearchParams({ gateway: pspCode }).toString();
  location.replace(address);
}

const root = document.getElementById(ROOT_ID);
const text = document.getElementById(BOOTSTRAP_ID)?.textContent;
if (root && text) {
  const bootstrap = JSON.parse(text) as Bootstrap;
  void mountCheckout({ bootstrap, host: pageHost(bootstrap), root, reopen });
}

// A page that the browser cached while its payer was at the bank shows outdated data.
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) location.reload();
});
