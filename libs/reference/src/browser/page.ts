/**
 * What the page at /docs does beyond reading: it copies examples, finds sections by their words, and loads the form that
 * sends requests. It runs in the reader's browser as a classic script, and asks for nothing else from anywhere and stores
 * nothing. Without it the page is complete.
 */
export {};

type Section = { readonly id: string; readonly title: string; readonly words: string };

const MOST_HITS = 12;
/** How long a button tells what it did, ms. */
const DONE_MS = 1_500;
const TRY_IT = 'Try it';

let sections: readonly Section[] | undefined;

for (const pre of document.querySelectorAll('pre')) addCopyButton(pre);
const form = document.querySelector<HTMLFormElement>('.search');
if (form) openSearch(form);
for (const shows of document.querySelectorAll('.operation:not(:has(.event)) .shows')) addTryButton(shows);

/** Returns the places a reader can jump to, in the order of the page, with the words below each: read with the first search. */
function listSections(): readonly Section[] {
  return [...document.querySelectorAll('article h2, article h3, .operation')].map((place) => ({
    id: place.id,
    title: (place.querySelector('h3') ?? place).textContent,
    words: `${place.id} ${readWords(place)}`.toLowerCase(),
  }));
}

/** Returns the text of an operation, or of a guide's part up to its next heading. */
function readWords(place: Element): string {
  if (place.matches('.operation')) return place.textContent;
  let words = place.textContent;
  for (let next = place.nextElementSibling; next && !next.matches('h2, h3'); next = next.nextElementSibling)
    words += ` ${next.textContent}`;
  return words;
}

function addCopyButton(pre: HTMLPreElement): void {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = 'Copy';
  button.addEventListener('click', () => void copy(pre, button));
  const frame = document.createElement('div');
  frame.className = 'code';
  pre.replaceWith(frame);
  frame.append(pre, button);
}

function addTryButton(shows: Element): void {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'try';
  button.textContent = TRY_IT;
  button.setAttribute('aria-expanded', 'false');
  shows.prepend(button);
  button.addEventListener('click', () => loadForm(button));
}

let isFormLoaded = false;

/** Loads the form's script with the first click, which then counts again. From then on the script hears every click. */
function loadForm(button: HTMLButtonElement): void {
  const { tryIt = '', integrity = '' } = document.querySelector('main')?.dataset ?? {};
  if (isFormLoaded) return;
  isFormLoaded = true;
  const script = document.createElement('script');
  script.src = tryIt;
  script.integrity = integrity;
  script.addEventListener('load', () => {
    button.textContent = TRY_IT;
    button.click();
  });
  script.addEventListener('error', () => {
    isFormLoaded = false;
    script.remove();
    button.textContent = 'It could not be loaded. Reload the page and try again.';
  });
  document.head.append(script);
}

/** Copies the example, or selects it where the browser allows no page to write to the clipboard. */
async function copy(pre: HTMLPreElement, button: HTMLButtonElement): Promise<void> {
  const text = pre.innerText.trimEnd();
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = 'Copied';
  } catch {
    getSelection()?.selectAllChildren(pre);
    button.textContent = 'Selected';
  }
  setTimeout(() => (button.textContent = 'Copy'), DONE_MS);
}

function openSearch(search: HTMLFormElement): void {
  const input = search.querySelector('input');
  const list = search.querySelector('ul');
  if (!input || !list) return;
  search.hidden = false;
  const clear = (): void => {
    input.value = '';
    list.hidden = true;
    list.replaceChildren();
  };
  input.addEventListener('input', () => show(input.value, list));
  search.addEventListener('submit', (event) => {
    event.preventDefault();
    list.querySelector('a')?.click();
  });
  list.addEventListener('click', clear);
  search.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') clear();
  });
  search.addEventListener('keydown', (event) => moveFocus(event, [input, ...list.querySelectorAll('a')]));
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof Element && event.target.matches('input');
    if (event.key !== '/' || isTyping) return;
    event.preventDefault();
    input.focus();
  });
}

function show(query: string, list: HTMLUListElement): void {
  const hits = find(query);
  list.replaceChildren(...hits.map(({ id, title }) => listItem(title, id)));
  if (hits.length === 0) list.append(listItem('Nothing found.'));
  list.hidden = query.trim() === '';
}

/** Returns the sections that have every word of the query; those that have more of them in the title come first. */
function find(query: string): readonly Section[] {
  const wanted = query.toLowerCase().split(/\s+/).filter(Boolean);
  const has = (text: string): boolean => wanted.every((word) => text.includes(word));
  const countNamed = ({ title, id }: Section): number => {
    const name = `${title} ${id}`.toLowerCase();
    return wanted.filter((word) => name.includes(word)).length;
  };
  sections ??= listSections();
  return sections
    .filter(({ words }) => has(words))
    .toSorted((a, b) => countNamed(b) - countNamed(a))
    .slice(0, MOST_HITS);
}

function listItem(text: string, target?: string): HTMLLIElement {
  const item = document.createElement('li');
  if (target === undefined) item.textContent = text;
  else item.append(Object.assign(document.createElement('a'), { href: `#${target}`, textContent: text }));
  return item;
}

/** The arrow keys move between the field and what it found. */
function moveFocus(event: KeyboardEvent, stops: readonly HTMLElement[]): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  if (step === 0) return;
  event.preventDefault();
  const at = stops.findIndex((stop) => stop === document.activeElement);
  stops.at((at + step) % stops.length)?.focus();
}
