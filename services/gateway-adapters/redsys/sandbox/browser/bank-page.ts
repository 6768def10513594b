/**
 * On the bank's pages: a test card fills in the form with one click, and its number is formatted while it is
 * typed.
 */
import { groupedNumber } from '@gp/psp-sandbox/browser';

const findField = (name: string): HTMLInputElement | null => document.querySelector(`input[name="${name}"]`);

const number = findField('card_number');
number?.addEventListener('input', () => {
  if (number.selectionStart === number.value.length) number.value = groupedNumber(number.value);
});

for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-card]')) {
  button.disabled = false;
  button.addEventListener('click', () => {
    const wanted = {
      card_number: groupedNumber(button.dataset['card'] ?? ''),
      expiry_month: '12',
      expiry_year: String(new Date().getFullYear() + 3),
      cvv: '123',
    };
    for (const [name, value] of Object.entries(wanted)) {
      const field = findField(name);
      if (field) field.value = value;
    }
    document.querySelector<HTMLButtonElement>('button[name="pay"]')?.focus();
  });
}

for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-code]')) {
  button.disabled = false;
  button.addEventListener('click', () => {
    const code = findField('code');
    if (code) code.value = button.dataset['code'] ?? '';
    document.querySelector<HTMLButtonElement>('button[name="confirm"]')?.focus();
  });
}
