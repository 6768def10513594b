/** The parts of the checkout page that a gateway's folder uses. The page finds its forms in `forms.ts`. */
export type { BankForm } from '../host.ts';
export type {
  CardForm,
  CardFormParts,
  CardLooks,
  CardOutcome,
  Pay,
  PayResponse,
  StartedBy,
} from './card-form.ts';
