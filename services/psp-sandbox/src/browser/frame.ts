import { cardFields, type CardFields } from './card-fields.ts';
import { dress, parseLocale, readLooks } from './looks.ts';
import { openLine, readOrigin, type Message, type ParentLine } from './parent-line.ts';

/** A frame with the fields of a card, ready for instructions. */
export type CardFrame = {
  readonly parameters: URLSearchParams;
  readonly fields: CardFields;
  readonly line: ParentLine;
};

/**
 * Builds the fields, reports their state to the parent page and carries out the instructions that every such frame
 * knows; other messages go to `onMessage`. Returns undefined, with nothing on the page, when the address does not name
 * the origin of the parent page.
 */
export function openCardFrame(
  onMessage: (frame: CardFrame, message: Message) => void,
): CardFrame | undefined {
  const parameters = new URLSearchParams(location.search);
  const origin = readOrigin(parameters);
  const form = document.querySelector('form');
  if (origin === undefined || form === null || window.parent === window) return undefined;
  const line = openLine(origin);
  const fields = cardFields(form, (state) => line.send({ type: 'change', ...state }));
  const frame: CardFrame = { parameters, fields, line };
  const looks = readLooks((name) => parameters.get(name));
  dress(document.documentElement, looks);
  fields.setLocale(looks.locale ?? parseLocale(navigator.language) ?? 'en');
  line.listen((message) => {
    if (!obey(fields, message)) onMessage(frame, message);
  });
  form.addEventListener('submit', (event) => event.preventDefault());
  reportFocus(form, line);
  new ResizeObserver(() => line.send({ type: 'resize', height: Math.ceil(measureHeight(form)) })).observe(
    form,
  );
  return frame;
}

/** Carries out an instruction that every frame knows; returns false for any other. */
function obey(fields: CardFields, message: Message): boolean {
  switch (message.type) {
    case 'focus':
    case 'blur':
    case 'clear':
      fields[message.type]();
      return true;
    case 'update': {
      const looks = readLooks((name) => message[name]);
      dress(document.documentElement, looks);
      if (looks.locale) fields.setLocale(looks.locale);
      if (typeof message['disabled'] === 'boolean') fields.setDisabled(message['disabled']);
      return true;
    }
    default:
      return false;
  }
}

function reportFocus(form: HTMLFormElement, line: ParentLine): void {
  form.addEventListener('focusin', (event) => {
    if (event.relatedTarget === null) line.send({ type: 'focus' });
  });
  form.addEventListener('focusout', (event) => {
    if (event.relatedTarget === null) line.send({ type: 'blur' });
  });
  form.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') line.send({ type: 'escape' });
  });
}

/** Includes the room that the focus ring needs below. */
const measureHeight = (form: HTMLFormElement): number => form.getBoundingClientRect().bottom + 4;
