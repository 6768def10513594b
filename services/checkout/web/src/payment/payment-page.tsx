import type { OwnPayment } from '../bootstrap.ts';
import { Contacts } from './contacts.tsx';
import { speakOf } from './speak.ts';

/** The address of the page, whether its payer gets mails, and the payers' page of a group that still waits for some. */
export type Control = {
  readonly path: string;
  readonly mails: 'on' | 'off';
  readonly pay_path: string | null;
  /** The name that is shown to whoever has the group's link; null where none is shown. */
  readonly shown_name: string | null;
};

/** The page behind a mail's link: one payment, and the controls of the mails and of the shown name. It needs no script. */
export function PaymentPage({
  payment,
  path,
  mails,
  pay_path,
  shown_name,
}: { payment: OwnPayment } & Control) {
  const { t, own, amount, told, facts } = speakOf(payment);
  return (
    <div class="page">
      <main class="problem payment">
        {payment.mode === 'test' && <p class="badge">{t('testMode')}</p>}
        <h1>{own.title}</h1>
        <p class="payment-amount">{amount}</p>
        <p>{told}</p>
        {pay_path !== null &&
          (payment.fate === 'unfinished' ? (
            <a class="primary" href={pay_path}>
              {own.payNow}
            </a>
          ) : (
            <Others payment={payment} path={pay_path} />
          ))}
        <ul class="receipt">
          {facts.map((fact) => (
            <li key={fact}>{fact}</li>
          ))}
        </ul>
        <Contacts support={payment.support} t={t} />
        {shown_name !== null && (
          <form class="payment-mails" method="post" action={`${path}/hide-name`}>
            <p>{own.nameShown.replace('{name}', () => `\u2068${shown_name}\u2069`)}</p>
            <button type="submit" class="secondary">
              {own.hideName}
            </button>
          </form>
        )}
        <form
          class="payment-mails"
          method="post"
          action={`${path}/${mails === 'on' ? 'unsubscribe' : 'subscribe'}`}
        >
          <p>{mails === 'on' ? own.mailsOn : own.mailsOff}</p>
          <button type="submit" class="secondary">
            {mails === 'on' ? own.unsubscribe : own.subscribe}
          </button>
        </form>
      </main>
    </div>
  );
}

/** The link for those who are missing: this page's own address is not for them. */
function Others({ payment, path }: { payment: OwnPayment; path: string }) {
  const { t } = speakOf(payment);
  const { missing, name } = payment.group;
  return (
    <>
      <p>
        {t.many('waiting', missing)} {t('sendHint')}
      </p>
      <a class="secondary" href={path}>
        <bdi>{name}</bdi>
      </a>
    </>
  );
}
