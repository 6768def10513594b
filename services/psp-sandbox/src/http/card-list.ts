import { groupedNumber } from '../browser/card-typing.ts';
import { behaviourText, type CardBehaviour } from '../domain/card.ts';
import { html, type Html } from './html.ts';

export type TestCards = ReadonlyMap<string, CardBehaviour>;

/** Test cards as buttons, each of which fills in the form of the page. */
export const cardButtons = (cards: TestCards): Html =>
  html`<ul class="cards">
    ${[...cards].map(
      ([number, behaviour]) =>
        html`<li>
          <button type="button" disabled data-card="${number}">
            <span class="digits">${groupedNumber(number)}</span> <span>${behaviourText(behaviour)}</span>
          </button>
        </li>`,
    )}
  </ul>`;

/** Test cards as a table to look things up in. */
export const cardTable = (cards: TestCards, caption: string): Html =>
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
      ${[...cards].map(
        ([number, behaviour]) =>
          html`<tr>
            <td><code>${groupedNumber(number)}</code></td>
            <td>${behaviourText(behaviour)}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
