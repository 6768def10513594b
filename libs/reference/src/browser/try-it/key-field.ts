import { make } from './elements.ts';
import { findKeyFault, followKey, getKey, isKeyKept, isLiveKey, setKey } from './key.ts';

export type KeyField = {
  readonly element: HTMLElement;
  read(): string;
  /** Returns false, says why and moves the focus there when the key is none that may be sent. */
  check(): boolean;
};

/** Makes the field of the key. All forms of the page have the same key. */
export function openKeyField(operation: string): KeyField {
  const id = `try-${operation}-key`;
  const input = make('input', {
    id,
    type: 'text',
    class: 'try-secret',
    autocomplete: 'off',
    spellcheck: 'false',
    placeholder: 'sk_test_…',
    'aria-describedby': `${id}-text ${id}-fault`,
  });
  const kept = make('input', { id: `${id}-kept`, type: 'checkbox' });
  const fault = make('p', { id: `${id}-fault`, class: 'try-fault', role: 'alert' });
  const take = (): void => {
    input.value = getKey();
    kept.checked = isKeyKept();
  };
  const say = (sentence = ''): void => {
    fault.textContent = sentence;
    if (sentence === '') input.removeAttribute('aria-invalid');
    else input.setAttribute('aria-invalid', 'true');
  };
  const read = (): string => input.value.trim();
  input.addEventListener('input', () => {
    // A live key leaves the page at once.
    if (isLiveKey(read())) {
      say(findKeyFault(read()));
      input.value = '';
    } else {
      say();
    }
    setKey(read(), kept.checked);
  });
  kept.addEventListener('change', () => setKey(read(), kept.checked));
  followKey(() => {
    if (input.value.trim() !== getKey()) take();
  });
  take();
  return {
    element: make(
      'div',
      {},
      make(
        'div',
        { class: 'try-row' },
        make('label', { for: id }, 'Test key'),
        input,
        make('p', { id: `${id}-text` }, 'It stays in this page and is sent to this host only.'),
      ),
      make(
        'p',
        { class: 'try-kept' },
        kept,
        make('label', { for: kept.id }, 'Keep it until this tab is closed'),
      ),
      fault,
    ),
    read,
    check() {
      const found = findKeyFault(read());
      say(found);
      if (found !== undefined) input.focus();
      return found === undefined;
    },
  };
}
