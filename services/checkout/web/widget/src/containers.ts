import type { Handle, Session } from '../v1.d.ts';
import { mountForm } from './mount.ts';
import { fault, parseOptions, parseSession, THEME_RULES } from './options.ts';

const MARK = 'data-service-group-pay';

/** Mounts every marked container, later ones included, and unmounts those that leave the page. */
export function watchContainers(home: string): void {
  const handles = new Map<Element, Handle | undefined>();
  const look = (): void => {
    for (const [element, handle] of handles) {
      if (element.isConnected && element.hasAttribute(MARK)) continue;
      handles.delete(element);
      handle?.unmount();
    }
    for (const element of document.querySelectorAll<HTMLElement>(`[${MARK}]`))
      if (!handles.has(element)) handles.set(element, adopt(element, home));
  };
  new MutationObserver(look).observe(document, { childList: true, subtree: true, attributeFilter: [MARK] });
  look();
}

/** A container with invalid attributes gets an event that says why, once scripts had time to listen. */
function adopt(element: HTMLElement, home: string): Handle | undefined {
  try {
    const { options, redirectUrl } = parseAttributes(element.dataset);
    if (redirectUrl) redirectAfter(element, redirectUrl);
    return mountForm(element, options, home);
  } catch (error) {
    const { message } = error as Error;
    setTimeout(() => {
      element.dispatchEvent(new CustomEvent('service:error', { detail: { message }, bubbles: true }));
      reportError(error);
    });
    return undefined;
  }
}

function parseAttributes({ sessionUrl, redirectUrl, payerEmail, locale, ...rest }: DOMStringMap) {
  if (!sessionUrl) throw fault('data-session-url is required');
  const address = webAddress(sessionUrl, 'data-session-url');
  if (redirectUrl) webAddress(redirectUrl, 'data-redirect-url');
  const options = {
    createSession: () => askBackend(address),
    // An empty attribute is as good as none.
    payerEmail: payerEmail || undefined,
    locale: locale || undefined,
    theme: Object.fromEntries(Object.keys(THEME_RULES).map((name) => [name, rest[name] || undefined])),
  };
  return { options: parseOptions(options), redirectUrl };
}

/** Returns an absolute http or https address; throws otherwise, so that an attribute cannot hold a script. */
function webAddress(text: string, name: string): string {
  const url = parseAddress(text);
  if (!url || !/^https?:$/.test(url.protocol)) throw fault(`${name} must be an address`);
  return url.href;
}

/** `URL.canParse` is newer than the browsers that are promised. */
function parseAddress(text: string): URL | undefined {
  try {
    return new URL(text, document.baseURI);
  } catch {
    return undefined;
  }
}

async function askBackend(url: string): Promise<Session> {
  const response = await fetch(url, { method: 'POST', headers: { accept: 'application/json' } });
  if (!response.ok) throw fault(`data-session-url answered ${response.status}`);
  return parseSession(await response.json());
}

/** Redirects to the merchant's own page, unless a listener prevented it. */
function redirectAfter(element: HTMLElement, template: string): void {
  element.addEventListener('service:complete', (event) =>
    // Listeners that run after this one can still prevent it.
    setTimeout(() => {
      const { id } = event.detail;
      if (event.defaultPrevented) return;
      location.assign(webAddress(template.replaceAll('{id}', encodeURIComponent(id)), 'data-redirect-url'));
    }),
  );
}
