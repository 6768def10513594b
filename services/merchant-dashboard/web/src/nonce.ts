/** The word that lets style elements made at run time past the content security policy; empty where there is none. */
export const nonce = (): string =>
  document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';

/** Tells it to the libraries that look for it where bundlers used to leave it: those that lock a page's scrolling. */
export function shareNonce(): void {
  (globalThis as { __webpack_nonce__?: string }).__webpack_nonce__ = nonce();
}
