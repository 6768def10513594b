import type { TestCard } from '@gp/gateway-registry';
import { groupedNumber } from '../browser/card-typing.ts';
import { html, type Html } from './html.ts';

/** Returns test cards as buttons, each of which fills in the form of the page. */
export const cardButtons = (cards: readonly TestCard[]): Html =>
  html`<ul class="cards">
    ${cards.map(
      ({ number, outcome }) =>
        html`<li>
          <button type="button" disabled data-card="${number}">
            <span class="digits">${groupedNumber(number)}</span> <span>${capitalize(outcome)}</span>
          </button>
        </li>`,
    )}
  </ul>`;

/** Returns test cards as a table for reference. */
export const cardTable = (cards: readonly TestCard[], caption: string): Html =>
  html`<table>
    <caption class="quiet">
      ${caption}
    </caption>
    <thead>
      <tr>
        <th scope="col">Card number</th>
        <th scope="col">What happens</th>
      </tr>
    </thead>
    <tbody>
      ${cards.map(
        ({ number, outcome }) =>
          html`<tr>
            <td><code>${groupedNumber(number)}</code></td>
            <td>${capitalize(outcome)}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
