import './style/page.css';
import './embed/embed.css';
import { ROOT_ID } from './bootstrap.ts';
import { connect } from './embed/connect.ts';
import { dressForm } from './embed/dress.ts';
import { reportHeight } from './embed/fit.ts';
import { openForm } from './embed/form.tsx';
import { parseLook } from './embed/look.ts';
import { warnOfLocale } from './embed/locale.ts';
import { connectShopPage } from './embed/shop-page.ts';

/** The widget's frame. At the top of a window no page framed it, so there is no page to connect to. */
async function start(root: HTMLElement, origin: string): Promise<void> {
  const { port, theme } = await connect(origin);
  const look = parseLook(theme);
  dressForm(look, null);
  const page = connectShopPage(port);
  reportHeight(document.body, (px) => page.send({ type: 'height', px }));
  await openForm({ page, origin, root, look });
}

const root = document.getElementById(ROOT_ID);
const wishes = new URLSearchParams(location.search);
const origin = wishes.get('origin');
const warning = warnOfLocale(wishes.get('lang'), document.documentElement.lang);
if (warning !== undefined) console.warn(warning);
if (root && origin !== null && parent !== window) void start(root, origin);

// A page that the browser cached while its payer was at the bank shows outdated data.
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) location.reload();
});
