/** Exports for the card pages of a gateway in the browser, as `@gp/psp-sandbox/browser`. */
export { groupedNumber, type Card } from './card-typing.ts';
export { openCardFrame, type CardFrame } from './frame.ts';
export type { Message } from './parent-line.ts';
