import { LANGUAGES } from '../services/checkout/web/src/bootstrap.ts';
import widget from '../services/checkout/web/widget/generated/manifest.json' with { type: 'json' };

const page = '../services/checkout/web/dist/client';
const organiser = '../services/checkout/web/dist/organiser';
const dashboard = '../services/merchant-dashboard/web/dist/assets';
const gzip = true;

/** What pages may cost their visitors. Of the checkout page's files, those with names of two letters are languages. */
export default [
  {
    name: 'Checkout page: first visit',
    path: [
      `${page}/*.js`,
      `!${page}/??-*.js`,
      `!${page}/embed-*.js`,
      `!${page}/later-*.js`,
      `!${page}/friends-*.js`,
      `!${page}/payment-*.js`,
      `!${page}/steps-*.js`,
      `!${page}/card-form-*.js`,
      `!${page}/wallets-*.js`,
      `!${page}/tips-*.js`,
    ],
    limit: '19.3 kB',
    gzip,
  },
  // Fetched at the first touch of the page.
  {
    name: 'Checkout page: later steps, the card forms of every gateway included',
    path: [`${page}/steps-*.js`, `${page}/card-form-*.js`],
    limit: '10.2 kB',
    gzip,
  },
  {
    name: 'Page to invite friends: script and styles',
    path: `${page}/friends-*.{js,css}`,
    limit: '1.5 kB',
    gzip,
  },
  { name: 'Page of a payment: styles', path: `${page}/payment-*.css`, limit: '0.5 kB', gzip },
  // Fetched beside the card form of a gateway that has them; the page does not wait for it.
  { name: 'Checkout page: wallets', path: `${page}/wallets-*.js`, limit: '1 kB', gzip },
  // Fetched by the page of a group that takes tips, after its first drawing.
  { name: 'Checkout page: tips', path: `${page}/tips-*.js`, limit: '1.5 kB', gzip },
  {
    name: 'Checkout page: styles',
    path: [`${page}/*.css`, `!${page}/friends-*.css`, `!${page}/payment-*.css`],
    limit: '4.3 kB',
    gzip,
  },
  ...LANGUAGES.map((language) => ({
    name: `Checkout page: language ${language}`,
    path: `${page}/${language}-*.js`,
    limit: '1.6 kB',
    gzip,
  })),
  ...LANGUAGES.map((language) => ({
    name: `Checkout page: later sentences, ${language}`,
    path: `${page}/later-${language}-*.js`,
    limit: '2.2 kB',
    gzip,
  })),
  {
    name: 'Organiser’s page',
    path: [`${organiser}/*.js`, `!${organiser}/organiser-??-*.js`],
    limit: '16 kB',
    gzip,
  },
  { name: 'Organiser’s page: styles', path: `${organiser}/*.css`, limit: '6.5 kB', gzip },
  ...LANGUAGES.map((language) => ({
    name: `Organiser’s page: language ${language}`,
    path: `${organiser}/organiser-${language}-*.js`,
    limit: '1.5 kB',
    gzip,
  })),
  {
    name: 'Widget loader',
    path: `../services/checkout/web/widget/generated/${widget.latest}.loader`,
    limit: '3 kB',
    gzip,
  },
  // What a browser receives of them is counted by test/browser/dashboard-first-load.browser.test.ts.
  {
    name: 'Dashboard: login, styles included',
    path: ['index-*.js', 'index-*.css'].map((file) => `${dashboard}/${file}`),
    limit: '150 kB',
    gzip,
  },
  {
    name: 'Dashboard: the frame and home, styles included',
    path: ['frame-*.js', 'frame-*.css', 'home.screen-*.js'].map((file) => `${dashboard}/${file}`),
    limit: '43 kB',
    gzip,
  },
];
