import { HOUSES, type Booking } from './bookings.ts';
import type { Script } from './pinned-script.ts';

const euros = new Intl.NumberFormat('en-IE', { style: 'currency', currency: 'EUR' });

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escape = (text: string): string => text.replace(/[&<>"]/g, (character) => escapes[character] ?? '');

const layout = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="Houses for groups whose guests each pay a share: a sample shop with the form of Group Payments.">
<title>${escape(title)} · Tandem Houses</title>
<link rel="stylesheet" href="/shop.css">
<link rel="icon" href="/mark.svg">
</head>
<body>
<header><a href="/"><img src="/mark.svg" alt="" width="28" height="28"> Tandem Houses</a><span>a sample shop</span></header>
${body}
<footer>Nothing here is real: the shop shows how a site takes group payments.</footer>
</body>
</html>
`;

/** Every house with a form to book it. */
export function homePage(): string {
  const houses = Object.entries(HOUSES).map(
    ([id, { name, place, price, sleeps }]) => `<li class="house">
<img src="/${id}.svg" alt="" width="640" height="360">
<form method="post" action="/bookings">
<h2>${name}</h2>
<p>${place} · sleeps ${sleeps}</p>
<p class="price">${euros.format(price)} <small>a weekend</small></p>
<input type="hidden" name="house" value="${id}">
<label>Shared by
<select name="friends">${Array.from(
      { length: sleeps - 1 },
      (_, index) => `<option${index === 1 ? ' selected' : ''}>${index + 2}</option>`,
    ).join('')}</select> friends</label>
<button name="widget" value="script">Book together</button>
<button class="quiet" name="widget" value="plain">… on a page without code</button>
</form></li>`,
  );
  return layout(
    'Weekends for friends',
    `<main>
<h1>Weekends for friends</h1>
<p class="lead">Choose a house. Everybody pays a share, and nobody is charged before everyone has paid.</p>
<ul class="houses">${houses.join('\n')}</ul>
</main>`,
  );
}

/** A booking with its payment form, put there by a script of the shop or, plain, by attributes alone. */
export function bookingPage(booking: Booking, o: { isPlain: boolean; script: Script }): string {
  const { id, name, total, friends } = booking;
  const session = `/bookings/${id}/session`;
  const place = o.isPlain
    ? `<div data-service-group-pay data-session-url="${session}" data-redirect-url="/thanks/{id}" data-accent-color="#0f766e"></div>`
    : `<div id="payment" data-session="${session}"></div>\n<p id="news" role="status"></p>`;
  return layout(
    name,
    `<main class="booking">
<section class="summary">
<h1>${escape(name)}</h1>
<p class="price">${euros.format(total)} <small>for ${friends} friends</small></p>
<p>Send your friends the address of this page: everybody pays a share here.</p>
<p><a href="/bookings/${id}${o.isPlain ? '' : '?widget=plain'}">The same with${o.isPlain ? '' : 'out'} a script</a></p>
</section>
<section class="payment" aria-label="Payment">
${place}
</section>
</main>
${scriptTag(o.script)}
${o.isPlain ? '' : '<script src="/booking.js"></script>'}`,
  );
}

function scriptTag({ src, integrity }: Script): string {
  const check = integrity === undefined ? '' : ` integrity="${escape(integrity)}" crossorigin="anonymous"`;
  return `<script src="${escape(src)}"${check}></script>`;
}

/** The page that a payer is redirected to. It shows what the platform just returned, not what the address says. */
export function thanksPage({ id, name, friends, settled }: Booking): string {
  const rest = friends - settled;
  return layout(
    'Thank you',
    `<main class="thanks">
<h1>${rest === 0 ? 'You are going!' : 'Your share is in'}</h1>
<p class="lead">${escape(name)}: ${settled} of ${friends} shares are in${rest === 0 ? '.' : `, ${rest} to go.`}</p>
<p><a href="/bookings/${id}?widget=plain">Back to the booking</a></p>
</main>`,
  );
}

export const problemPage = (text: string): string =>
  layout(
    'Sorry',
    `<main class="thanks"><h1>Sorry</h1><p class="lead">${escape(text)}</p><p><a href="/">All houses</a></p></main>`,
  );
