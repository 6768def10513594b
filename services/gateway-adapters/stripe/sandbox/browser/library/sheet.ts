/** What a payer chose in the test wallet. */
export type SheetChoice = { readonly paymentMethod: string };

/** The cards of the test wallet, by the names that the gateway has for them. */
const cards = [
  ['pm_card_visa', 'Visa •••• 4242', 'is accepted'],
  ['pm_card_chargeDeclinedInsufficientFunds', 'Visa •••• 9995', 'is declined: insufficient funds'],
  ['pm_card_threeDSecure2Required', 'Visa •••• 3220', 'asks for 3-D Secure'],
] as const;

/**
 * Shows the test wallet over the page, in English as all that only testers see, and resolves with the chosen card, or
 * with undefined when the payer closes it. A modal dialog, styled by properties alone as the policy of the page wants.
 */
export function showSheet(amount: string): Promise<SheetChoice | undefined> {
  const dialog = document.createElement('dialog');
  const heading = document.createElement('h2');
  const note = document.createElement('p');
  dialog.lang = 'en';
  dialog.dir = 'ltr';
  heading.id = `sheet-${crypto.randomUUID()}`;
  heading.textContent = `Test Pay: ${amount}`;
  note.textContent = 'The sandbox’s wallet. Choose a card to pay with.';
  dialog.setAttribute('aria-labelledby', heading.id);
  Object.assign(dialog.style, sheetStyle);
  Object.assign(heading.style, { font: '600 1.1rem system-ui, sans-serif', margin: '0' });
  Object.assign(note.style, { margin: '.5rem 0 .75rem' });
  return new Promise((resolve) => {
    const end = (choice?: SheetChoice): void => {
      dialog.close();
      dialog.remove();
      resolve(choice);
    };
    const choices = cards.map(([paymentMethod, name, outcome]) =>
      newChoice(`${name} ${outcome}`, () => end({ paymentMethod })),
    );
    dialog.append(
      heading,
      note,
      ...choices,
      newChoice('Cancel', () => end()),
    );
    dialog.addEventListener('cancel', (event) => {
      event.preventDefault();
      end();
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}

const sheetStyle = {
  boxSizing: 'border-box',
  width: '100%',
  maxWidth: '26rem',
  margin: 'auto auto 0',
  padding: '1rem',
  border: '0',
  borderRadius: '1rem 1rem 0 0',
  background: '#fff',
  color: '#1a1a1a',
  colorScheme: 'light',
  font: '1rem system-ui, sans-serif',
};

function newChoice(text: string, choose: () => void): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = text;
  Object.assign(button.style, {
    display: 'block',
    width: '100%',
    minHeight: '2.75rem',
    margin: '.5rem 0 0',
    padding: '.5rem .75rem',
    border: '1px solid #767676',
    borderRadius: '.375rem',
    background: '#fff',
    color: '#1a1a1a',
    font: 'inherit',
    textAlign: 'start',
    cursor: 'pointer',
  });
  button.addEventListener('click', choose);
  return button;
}
