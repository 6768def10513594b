import { findManifest, pspCodes, type PspCode } from '@gp/gateway-registry';
import type { Route } from '@gp/http';
import { listKnownCards } from '../domain/card.ts';
import { cardTable } from './card-list.ts';
import { html, type Html } from './html.ts';
import { page } from './page.ts';

/** `GET /`: describes what the sandbox does with each card and amount. */
export function overviewRoutes(): Route[] {
  const answer = page(200, {
    title: 'Sandbox: test cards and amounts',
    isWide: true,
    main: html`<h1>Test cards and amounts</h1>
      <p>
        This sandbox plays the gateways for test keys. Every other number with a right check digit is
        approved; one with a wrong check digit is no card.
      </p>
      ${pspCodes.map(renderGateway)}`,
  });
  return [{ method: 'GET', path: '/', handle: () => Promise.resolve(answer) }];
}

function renderGateway(code: PspCode): Html {
  const { testCards } = findManifest(code);
  return html`<section aria-labelledby="${code}">
    <h2 id="${code}">${code}</h2>
    <ul>
      ${testCards.notes.map((note) => html`<li>${note}</li>`)}
    </ul>
    <div class="scroll" tabindex="0" role="region" aria-label="Test cards of ${code}">
      ${cardTable(listKnownCards(testCards), `Test cards of ${code}`)}
    </div>
  </section>`;
}
