import type { Account } from './element.ts';

/** The time limit for the frame to confirm its refusal, ms; an error page in it never does. */
const REFUSAL_MS = 8_000;

const words: Readonly<Record<string, readonly [title: string, cancel: string]>> = {
  en: ['Confirm with your bank', 'Cancel'],
  es: ['Confirma con tu banco', 'Cancelar'],
  ca: ['Confirma amb el teu banc', 'Cancel·la'],
  fr: ['Confirmez auprès de votre banque', 'Annuler'],
  de: ['Bei Ihrer Bank bestätigen', 'Abbrechen'],
  it: ['Conferma con la tua banca', 'Annulla'],
  pt: ['Confirme com o seu banco', 'Cancelar'],
  nl: ['Bevestig bij je bank', 'Annuleren'],
  pl: ['Potwierdź w swoim banku', 'Anuluj'],
  sv: ['Bekräfta hos din bank', 'Avbryt'],
  da: ['Bekræft hos din bank', 'Annuller'],
  fi: ['Vahvista pankissasi', 'Peruuta'],
  ro: ['Confirmați la banca dvs.', 'Anulați'],
  ar: ['التأكيد لدى بنكك', 'إلغاء'],
};

/**
 * Shows the bank's page over the page, and resolves when the payer has responded. A modal dialog: the page behind
 * is inert, the focus stays inside and returns afterwards. Escape and the button refuse.
 */
export function showChallenge({ origin, locale }: Account, url: string): Promise<void> {
  const language = locale === 'auto' ? document.documentElement.lang || navigator.language : locale;
  const [title, cancel] = words[language.slice(0, 2)] ?? words['en'] ?? ['', ''];
  const { dialog, frame, button } = buildDialog(url, title, cancel);
  return new Promise((resolve) => {
    const onMessage = ({
      source,
      origin: from,
      data,
    }: MessageEvent<{ type?: string; state?: string }>): void => {
      if (source !== frame.contentWindow || from !== origin || data.type !== 'challenge') return;
      if (data.state === 'answered') end();
      else if (isRefused) sendRefusal();
    };
    const end = (): void => {
      window.removeEventListener('message', onMessage);
      dialog.close();
      dialog.remove();
      resolve();
    };
    // Sent again when the frame is ready: it did not receive earlier messages.
    let isRefused = false;
    const sendRefusal = (): void => frame.contentWindow?.postMessage({ type: 'refuse' }, origin);
    const refuse = (): void => {
      isRefused = true;
      sendRefusal();
      setTimeout(end, REFUSAL_MS);
    };
    window.addEventListener('message', onMessage);
    button.addEventListener('click', refuse);
    dialog.addEventListener('cancel', (event) => {
      event.preventDefault();
      refuse();
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}

/** Styled by properties alone: the policy of the parent page does not allow style sheets of ours. */
function buildDialog(url: string, title: string, cancel: string) {
  const dialog = document.createElement('dialog');
  const panel = document.createElement('div');
  const bar = document.createElement('div');
  const heading = document.createElement('h2');
  const button = document.createElement('button');
  const frame = document.createElement('iframe');
  heading.id = `challenge-${crypto.randomUUID()}`;
  heading.textContent = frame.title = title;
  dialog.setAttribute('aria-labelledby', heading.id);
  button.type = 'button';
  button.textContent = cancel;
  frame.src = url;
  const whole = { width: '100%', height: '100%', maxWidth: '100%', maxHeight: '100%' };
  style(dialog, { ...whole, border: '0', margin: '0', padding: '0', background: 'rgb(0 0 0 / 60%)' });
  style(dialog, { boxSizing: 'border-box', overflow: 'hidden' });
  style(panel, {
    display: 'flex',
    flexDirection: 'column',
    width: '100%',
    maxWidth: '30rem',
    height: '100%',
  });
  style(panel, {
    maxHeight: '38rem',
    margin: '0 auto',
    background: '#fff',
    color: '#1a1a1a',
    colorScheme: 'light',
  });
  style(bar, { display: 'flex', alignItems: 'center', justifyContent: 'space-between', gap: '1rem' });
  style(bar, { padding: '.5rem 1rem', borderBottom: '1px solid #ccc', font: '1rem system-ui, sans-serif' });
  style(heading, { font: '600 1rem system-ui, sans-serif', margin: '0' });
  style(button, { font: 'inherit', padding: '.5rem .75rem', minHeight: '2.75rem', background: '#fff' });
  style(button, {
    color: '#1a1a1a',
    border: '1px solid #767676',
    borderRadius: '.375rem',
    cursor: 'pointer',
  });
  style(frame, { border: '0', width: '100%', flex: '1' });
  bar.append(heading, button);
  panel.append(bar, frame);
  dialog.append(panel);
  return { dialog, frame, button };
}

function style(element: HTMLElement, values: Readonly<Record<string, string>>): void {
  Object.assign(element.style, values);
}
