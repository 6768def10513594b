import { findManifest, pspCodes, pspCodesWithFlow } from '@gp/gateway-registry';

const adapters = '../../../../gateway-adapters';
const redirecting = pspCodesWithFlow('redirect');
const withCards = pspCodes.filter((code) => !redirecting.includes(code));

/** Returns the source of `web/src/gateways/forms.ts`: where the page finds the forms in the gateways' folders. */
export function writeFormTables(): string {
  const page = (code: (typeof pspCodes)[number]) => `${adapters}/${findManifest(code).folder}/page`;
  return `// Written by \`npm run generate\` from the registry of gateways.
import type { PspCode } from '@gp/contracts';
${redirecting.map((code) => `import { findBankForm as ${code} } from '${page(code)}/bank-form.ts';\n`).join('')}import type { BankForm } from '../host.ts';
import type { OpenCardForm, PayResponse } from './card-form.ts';

type LoadCardForm = () => Promise<{ readonly openCardForm: OpenCardForm }>;

/** The card form of each gateway that has one on this page; each is a file of its own, fetched where it is used. */
export const cardForms: Readonly<Partial<Record<PspCode, LoadCardForm>>> = {
${withCards.map((code) => `  ${code}: () => import('${page(code)}/card-form.ts'),\n`).join('')}};

type FindBankForm = (payment: PayResponse) => BankForm | undefined;

/** How the form for the bank is found in a started payment, for each gateway that payers leave this page for. */
export const bankForms: Readonly<Partial<Record<PspCode, FindBankForm>>> = {
${redirecting.map((code) => `  ${code},\n`).join('')}};
`;
}
