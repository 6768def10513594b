/** What a payer needs only after the first press, or when there is something to come back to: a file that is fetched then. */
export { joinPayments } from './flow/join-payments.ts';
export { followOwnShares } from './flow/own-shares.ts';
export { begin, pay } from './flow/pay.ts';
export { resume, tryAgain } from './flow/resume.ts';
export { mountCard } from './gateways/mount-card.ts';
export { LATER_PARTS } from './ui/later-parts.ts';
