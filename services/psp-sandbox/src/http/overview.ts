import type { PspCode } from '@gp/gateway-registry';
import type { Route } from '@gp/http';
import type { PlayedGateway } from '../app/gateway.ts';
import { cardTable } from './card-list.ts';
import { html, type Html } from './html.ts';
import { page } from './page.ts';

/** `GET /`: what the sandbox does with which card, from the tables it acts by. */
export function overviewRoutes(gateways: ReadonlyMap<PspCode, PlayedGateway>): Route[] {
  const answer = page(200, {
    title: 'Sandbox: test cards and amounts',
    isWide: true,
    main: html`<h1>Test cards and amounts</h1>
      <p>
        This sandbox plays the gateways for test keys. Use any expiry date to come and any security code.
        Every other number with a right check digit is approved; one with a wrong check digit is no card.
      </p>
      ${[...gateways].map(([code, gateway]) => renderGateway(code, gateway))}`,
  });
  return [{ method: 'GET', path: '/', handle: () => Promise.resolve(answer) }];
}

const renderGateway = (code: PspCode, { overview: { cards, notes } }: PlayedGateway): Html =>
  html`<section aria-labelledby="${code}">
    <h2 id="${code}">${code}</h2>
    <ul>
      ${notes.map((note) => html`<li>${note}</li>`)}
    </ul>
    <div class="scroll" tabindex="0" role="region" aria-label="Test cards of ${code}">
      ${cardTable(cards, `Test cards of ${code}`)}
    </div>
  </section>`;
