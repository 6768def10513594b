import type { Finding } from './judge.ts';
import type { Audience } from './promise.ts';

/** A use of something too new that harms nobody, in every file where it may stand. */
export type Allowed = Pick<Finding, 'feature' | 'selector'> & {
  readonly reason: string;
  /** Ends of the names of the files; without it, all. */
  readonly files?: readonly string[];
};

const IGNORED = 'a browser that does not know it leaves it out, and the page looks a little different';
const OTHER = 'not this feature, but a name of our own or of a library';
const ASKED = 'asked for before it is used';

const has = (selector: string): Allowed => ({ feature: 'css.selectors.has', selector, reason: IGNORED });

const PAYERS: readonly Allowed[] = [
  has('.card-place:has(.card-frame)'),
  has('.check:has(:disabled)'),
  has('.friends p:has(>.friends-link)'),
  has('.notice:has(.icon-button) p'),
  { feature: 'css.at-rules.media.forced-colors', reason: 'only Windows has such colours, and Safari none' },
  { feature: 'css.properties.align-content.start', reason: IGNORED },
  { feature: 'api.CredentialsContainer.create.publicKey_option.attestation.none', reason: OTHER },
  { feature: 'api.Element.role', reason: 'an attribute of that name, which every browser has' },
  {
    feature: 'api.HTMLElement.focus.options_preventScroll_parameter',
    reason: 'without it the page may scroll to what has the focus',
  },
  {
    feature: 'api.HTMLElement.inert',
    files: ['/steps.js'],
    reason: 'keeps the keyboard away from wallets while a card pays; a second payment is refused without it',
  },
  { feature: 'api.Navigator.share', reason: ASKED },
  {
    feature: 'javascript.builtins.Symbol.dispose',
    reason: 'a name of a function of @preact/signals that nothing calls',
  },
];

const MERCHANTS: readonly Allowed[] = [
  { feature: 'css.properties.scrollbar-gutter', reason: IGNORED },
  { feature: 'css.properties.scrollbar-gutter.stable', reason: IGNORED },
  { feature: 'css.properties.scrollbar-width', reason: IGNORED },
  { feature: 'css.properties.scrollbar-width.none', reason: IGNORED },
  { feature: 'css.properties.scrollbar-width.thin', reason: IGNORED },
  { feature: 'css.properties.text-box-edge', reason: IGNORED },
  { feature: 'css.properties.text-box-edge.alphabetic', reason: IGNORED },
  { feature: 'css.properties.text-box-edge.cap', reason: IGNORED },
  { feature: 'css.properties.text-box-trim', reason: IGNORED },
  { feature: 'css.properties.text-box-trim.trim-both', reason: IGNORED },
  { feature: 'api.AnimationEvent.animation', reason: OTHER },
  { feature: 'api.Blob.bytes', files: ['/branding.screen.js'], reason: OTHER },
  { feature: 'api.CSSStyleDeclaration.cssFloat', reason: 'a name in React’s list of styles' },
  { feature: 'api.Document.startViewTransition', reason: ASKED },
  { feature: 'api.FontFace.variant', reason: OTHER },
  {
    feature: 'api.HTMLImageElement.fetchPriority',
    reason: 'an attribute that React writes, and browsers leave out',
  },
  { feature: 'api.HTMLImageElement.sizes.auto', reason: OTHER },
  { feature: 'api.MouseEvent.movementX', reason: 'phones have no mouse' },
  { feature: 'api.MouseEvent.movementY', reason: 'phones have no mouse' },
  { feature: 'api.Navigator.connection', reason: ASKED },
  { feature: 'api.Navigator.permissions', reason: OTHER },
  { feature: 'api.Notification', reason: OTHER },
  { feature: 'api.PublicKeyCredential.getClientCapabilities_static', reason: ASKED },
  { feature: 'api.PublicKeyCredential.isConditionalMediationAvailable_static', reason: ASKED },
  { feature: 'api.TouchEvent', reason: ASKED },
  { feature: 'api.ViewTransition', reason: 'a component of React' },
  { feature: 'javascript.builtins.Error.isError', reason: 'a field of TanStack Query' },
  { feature: 'javascript.builtins.Iterator.toArray', reason: 'a function of React’s Children' },
  { feature: 'javascript.builtins.Symbol.dispose', reason: OTHER },
];

/** What may be newer than promised, with the reason. */
export const ALLOWED: Readonly<Record<Audience, readonly Allowed[]>> = {
  payers: PAYERS,
  merchants: MERCHANTS,
};

/** Returns whether an entry of the list is about what was found. */
export const isAbout = (allowed: Allowed, finding: Finding): boolean =>
  allowed.feature === finding.feature &&
  allowed.selector === finding.selector &&
  (allowed.files?.some((end) => finding.file.endsWith(end)) ?? true);
