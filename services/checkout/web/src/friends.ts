import { writeUntil } from './friends/until.ts';
import { findWayBack } from './friends/way-back.ts';
import './style/friends.css';

/** The page on which payers invite others: adds what only a script can do. The document has kept the places of the buttons. */
const address = document.querySelector<HTMLAnchorElement>('.friends-address');
const copy = document.querySelector<HTMLButtonElement>('#copy');
const share = document.querySelector<HTMLButtonElement>('#share');
const until = document.querySelector('time');
const back = document.querySelector<HTMLAnchorElement>('#back');

if (until) until.textContent = writeUntil(until.dataset['locale'] ?? '', until.dateTime);
if (address && copy && 'clipboard' in navigator) {
  copy.hidden = false;
  // Where the browser refuses, the address is selected, for the device's own menu.
  copy.onclick = () =>
    void copyAddress(address.href, copy).catch(() => getSelection()?.selectAllChildren(address));
}
const wayBack = back && findWayBack(back.pathname);
// The address is set only when the link is pressed: a copied link must not contain the organiser's secret address.
if (back && wayBack)
  back.onclick = (event) => {
    event.preventDefault();
    location.assign(wayBack);
  };
if (address && share && 'share' in navigator) {
  share.hidden = false;
  const { text } = share.dataset;
  const { title } = document;
  // A payer who closes the menu shares nothing, which is no error.
  share.onclick = () =>
    void navigator.share({ title, ...(text && { text }), url: address.href }).catch(() => undefined);
}

async function copyAddress(
  href: string,
  { dataset, firstElementChild: told }: HTMLButtonElement,
): Promise<void> {
  await navigator.clipboard.writeText(href);
  if (told) told.textContent = dataset['copied'] ?? '';
}
