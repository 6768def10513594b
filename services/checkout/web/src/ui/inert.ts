import { UNANSWERED } from '../net/failure.ts';
import type { Actions } from './view.ts';

const nothing = (): void => undefined;
/** The actions of the page that the server draws: nobody is there to act. */
export const INERT: Actions = {
  toggle: nothing,
  takeAll: nothing,
  begin: nothing,
  pay: () => Promise.resolve(),
  change: nothing,
  tryAgain: nothing,
  payAnother: nothing,
  payAgain: nothing,
  leaveIt: nothing,
  forget: nothing,
  hideName: () => Promise.resolve(UNANSWERED),
  dismiss: nothing,
  mountCard: () => Promise.reject(new Error('nobody is here to type')),
  unmountCard: nothing,
};
