import { openAnswerPlace } from './answer.ts';
import { make } from './elements.ts';
import { openFields } from './fields.ts';
import { ids } from './ids.ts';
import { openKeyField } from './key-field.ts';
import { readOperations, type Operation } from './operation.ts';
import { buildAddress, buildHeaders, hasBody } from './request.ts';

/**
 * Sends operations from the page at /docs with a test key. It is loaded when a reader first asks for it, reads openapi.json,
 * and sends to the host that served the page and to no other.
 */
declare const STYLE: string;

const sheet = new CSSStyleSheet();
sheet.replaceSync(STYLE);
document.adoptedStyleSheets.push(sheet);

const base = new URL('.', location.href).href;
let operations: Promise<ReadonlyMap<string, Operation>> | undefined;

document.addEventListener('click', (event) => {
  const button = event.target instanceof Element ? event.target.closest('button.try') : null;
  if (button instanceof HTMLButtonElement) void toggle(button);
});

async function loadOperations(): Promise<ReadonlyMap<string, Operation>> {
  const answer = await fetch(new URL('openapi.json', base), { credentials: 'omit' });
  if (!answer.ok) throw new Error(`openapi.json was answered with ${answer.status}`);
  return readOperations((await answer.json()) as Parameters<typeof readOperations>[0]);
}

/** Opens the form of an operation below its button, or hides it. */
async function toggle(button: HTMLButtonElement): Promise<void> {
  const section = button.closest('.operation');
  const known = document.getElementById(button.getAttribute('aria-controls') ?? '');
  if (known) {
    known.hidden = !known.hidden;
    button.setAttribute('aria-expanded', String(!known.hidden));
    return;
  }
  try {
    operations ??= loadOperations();
    const operation = (await operations).get(section?.id ?? '');
    if (!operation || button.hasAttribute('aria-controls')) return;
    const form = openForm(operation, section?.querySelector('h3')?.textContent ?? '');
    button.after(form);
    button.setAttribute('aria-controls', form.id);
    button.setAttribute('aria-expanded', 'true');
    form.querySelector('input')?.focus();
  } catch (error) {
    operations = undefined;
    button.after(make('p', { role: 'alert' }, `The form cannot be shown: ${String(error)}`));
  }
}

function openForm(operation: Operation, title: string): HTMLFormElement {
  const key = openKeyField(operation.id);
  const fields = openFields(operation, ids.fillIn);
  const answer = openAnswerPlace();
  const send = make('button', { type: 'submit', class: 'try-send' }, 'Send');
  const stop = make('button', { type: 'button', class: 'try-stop', hidden: true }, 'Stop');
  const form = make(
    'form',
    { id: `try-${operation.id}`, class: 'try-it', 'aria-label': `Try it: ${title}` },
    key.element,
    ...fields.elements,
    make('p', { class: 'try-actions' }, send, stop),
    answer.element,
  );
  let running: AbortController | undefined;
  stop.addEventListener('click', () => {
    running?.abort();
    send.focus();
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (running || !key.check()) return;
    running = new AbortController();
    const { signal } = running;
    stop.hidden = false;
    void request(signal).finally(() => {
      running = undefined;
      stop.hidden = true;
    });
  });

  async function request(signal: AbortSignal): Promise<void> {
    answer.clear();
    answer.say('Sending …');
    const filled = { key: key.read(), values: fields.readValues(), body: fields.readBody() };
    const startedMs = performance.now();
    try {
      const address = buildAddress(operation, filled, base);
      const response = await fetch(address, {
        method: operation.method,
        headers: buildHeaders(operation, filled),
        ...(hasBody(filled.body) && { body: filled.body }),
        signal,
        credentials: 'omit',
        cache: 'no-store',
        redirect: 'error',
      });
      const line = `${operation.method} ${address.pathname}${address.search}`;
      const body = await answer.show(response, { request: line, startedMs });
      if (response.ok) ids.learn(operation.id, body);
    } catch (error) {
      answer.say(signal.aborted ? 'Stopped.' : `There was no answer: ${String(error)}`);
    }
    fields.renewKey();
  }
  return form;
}
