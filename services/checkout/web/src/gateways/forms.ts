// Written by `npm run generate` from the registry of gateways.
import type { PspCode } from '@gp/contracts';
import { findBankForm as gateway_c } from '../../../../gateway-adapters/redsys/page/bank-form.ts';
import type { BankForm } from '../host.ts';
import type { OpenCardForm, PayResponse } from './card-form.ts';

type LoadCardForm = () => Promise<{ readonly openCardForm: OpenCardForm }>;

/** The card form of each gateway that has one on this page; each is a file of its own, fetched where it is used. */
export const cardForms: Readonly<Partial<Record<PspCode, LoadCardForm>>> = {
  gateway_a: () => import('../../../../gateway-adapters/stripe/page/card-form.ts'),
  gateway_b: () => import('../../../../gateway-adapters/checkout-com/page/card-form.ts'),
};

type FindBankForm = (payment: PayResponse) => BankForm | undefined;

/** How the form for the bank is found in a started payment, for each gateway that payers leave this page for. */
export const bankForms: Readonly<Partial<Record<PspCode, FindBankForm>>> = {
  gateway_c,
};
