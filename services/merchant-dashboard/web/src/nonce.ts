/**
 * Returns the nonce with which the content security policy permits style elements made at run time; empty without
 * one.
 */
export const nonce = (): string =>
  document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';

/**
 * Sets the nonce where libraries that lock a page's scrolling look for it: in the variable that bundlers used to
 * set.
 */
export function shareNonce(): void {
  (globalThis as { __webpack_nonce__?: string }).__webpack_nonce__ = nonce();
}
