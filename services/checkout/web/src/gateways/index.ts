/** What a gateway's folder uses of the checkout page. The page finds the folder's forms through `forms.ts`. */
export type { BankForm } from '../host.ts';
export type { CardForm, CardFormParts, CardLooks, CardOutcome, PayResponse, StartedBy } from './card-form.ts';
export { loadScript } from './load-script.ts';
