/** One labelled text field for digits, with a place for its error message. */
export type Field = {
  text(): string;
  write(text: string): void;
  name(label: string): void;
  hint(placeholder: string): void;
  /** Shows an error message, or removes it. */
  complain(message: string | undefined): void;
  /** Shows the scheme of a card beside what was typed. */
  mark(brand: string): void;
  setDisabled(isDisabled: boolean): void;
  focus(): void;
  blur(): void;
  /** Formats each input, then calls `then`; the caret stays behind the same digit. */
  onTyped(shape: (text: string, isDeleting: boolean) => string, then: () => void): void;
  onLeft(listener: () => void): void;
};

export function newField(
  form: HTMLFormElement,
  id: string,
  autocomplete: AutoFill,
  placeholder: string,
): Field {
  const { input, label, complaint } = findParts(form, id);
  input.autocomplete = autocomplete;
  input.placeholder = placeholder;
  return {
    text: () => input.value,
    write: (text) => void (input.value = text),
    name: (text) => void (label.textContent = text),
    hint: (text) => void (input.placeholder = text),
    complain(message = '') {
      // Written only when it changes, because screen readers read it aloud each time.
      if (complaint.textContent !== message) complaint.textContent = message;
      if (message === '') input.removeAttribute('aria-invalid');
      else input.setAttribute('aria-invalid', 'true');
    },
    mark: (brand) => void (label.dataset['brand'] = brand),
    setDisabled: (isDisabled) => void (input.disabled = isDisabled),
    focus: () => input.focus(),
    blur: () => input.blur(),
    onTyped(shape, then) {
      input.addEventListener('input', (event) => {
        const isDeleting = event instanceof InputEvent && event.inputType.startsWith('delete');
        reshape(input, (text) => shape(text, isDeleting));
        then();
      });
    },
    onLeft: (listener) => input.addEventListener('blur', listener),
  };
}

function findParts(form: HTMLFormElement, id: string) {
  const part = form.ownerDocument.createElement('div');
  const label = form.ownerDocument.createElement('label');
  const input = form.ownerDocument.createElement('input');
  const complaint = form.ownerDocument.createElement('p');
  part.className = `field ${id}`;
  label.htmlFor = input.id = id;
  complaint.id = `${id}-complaint`;
  complaint.setAttribute('aria-live', 'polite');
  input.inputMode = 'numeric';
  input.required = true;
  input.setAttribute('aria-describedby', complaint.id);
  part.append(label, input, complaint);
  form.append(part);
  return { input, label, complaint };
}

const countDigits = (text: string): number => text.replace(/\D/g, '').length;

function reshape(input: HTMLInputElement, shape: (text: string) => string): void {
  const before = input.value;
  const caret = input.selectionStart ?? before.length;
  const after = shape(before);
  if (after === before) return;
  input.value = after;
  if (caret === before.length) return;
  const wanted = countDigits(before.slice(0, caret));
  let at = 0;
  while (at < after.length && countDigits(after.slice(0, at)) < wanted) at += 1;
  input.setSelectionRange(at, at);
}
