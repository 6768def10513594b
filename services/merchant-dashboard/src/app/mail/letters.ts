import type { EndpointFailing, TroubleEventType } from '@gp/contracts';
import { readsAsLink } from '@gp/mail';
import { describeEndpointFailure } from '../../domain/endpoint-failure.ts';
import type { Mail } from './mail.ts';

type Trouble = { readonly subject: string; readonly text: string };

const TROUBLES: Readonly<Record<TroubleEventType, Trouble>> = {
  'payment_intent.disputed': {
    subject: 'A payer disputes a payment',
    text: 'The bank of a payer asks for the money of a payment back. Answer the dispute in the dashboard of your gateway, which sets a time for it.',
  },
  'group_payment.capture_failed': {
    subject: 'Held money could not be captured',
    text: 'Every payer of a group payment had paid, but not all of the held money could be captured.',
  },
  'group_payment.refund_failed': {
    subject: 'A refund gave nothing back',
    text: 'Nothing of a refund went back to the payers. It can be tried again, or made in the dashboard of your gateway.',
  },
};

/** The mails this service writes. Links carry their secret behind `#`, which browsers send to no server. */
export function letters(dashboard: string) {
  const link = (path: string, secret: string) => `${dashboard}/${path}#token=${secret}`;
  return {
    /** To a person who wants to sign up, or whom a stranger named: it repeats nothing the stranger entered. */
    signUp: (to: string, o: { secret: string }): Mail => ({
      to,
      subject: 'Confirm your e-mail address',
      text: [
        'Welcome! Open this link to finish signing up:',
        link('sign-up/confirm', o.secret),
        'It works once, for 24 hours. If you did not ask for it, ignore this message: nothing happens then.',
      ].join('\n\n'),
    }),
    /** To a user who has an account and tried to sign up again. */
    alreadySignedUp: (to: string): Mail => ({
      to,
      subject: 'You have an account already',
      text: [
        'Somebody, most likely you, tried to sign up with this address, which has an account. Log in here:',
        `${dashboard}/login`,
        'If you have forgotten your password, choose a new one here:',
        `${dashboard}/reset-password`,
      ].join('\n\n'),
    }),
    passwordReset: (to: string, o: { secret: string }): Mail => ({
      to,
      subject: 'Choose a new password',
      text: [
        'Open this link to choose a new password:',
        link('reset-password/confirm', o.secret),
        'It works once, for an hour. If you did not ask for it, ignore this message: your password stays as it is.',
      ].join('\n\n'),
    }),
    /** Sent after the change, so that the user notices a change they did not make. */
    passwordChanged: (to: string): Mail => ({
      to,
      subject: 'Your password was changed',
      text: [
        'Your password was changed, and you were logged out everywhere else.',
        'If it was not you, choose a new one at once:',
        `${dashboard}/reset-password`,
      ].join('\n\n'),
    }),
    /** Sent after a change of how a user logs in beside the password. */
    loginChanged: (to: string, what: string): Mail => ({
      to,
      subject: 'Your login was changed',
      text: [
        `${what}.`,
        'If it was not you, choose a new password at once, which ends every session, and look at your profile:',
        `${dashboard}/reset-password`,
      ].join('\n\n'),
    }),
    /** To a user whose password others, or the user, tried to guess. */
    failedLogins: (to: string, count: number): Mail => ({
      to,
      subject: 'Wrong passwords were tried for your account',
      text: [
        `Somebody entered ${count} wrong passwords for this address. You can still log in from a browser you have used before.`,
        'If it was not you, use a password of your own for this account, and add a second factor:',
        `${dashboard}/live/profile`,
      ].join('\n\n'),
    }),
    /** Sent after a login from a browser the user had not used before. */
    newDevice: (to: string, o: { address: string }): Mail => ({
      to,
      subject: 'Login from a new browser',
      text: [
        `Somebody logged in to your account from a new browser, at the address ${o.address}.`,
        'If it was you, there is nothing to do. If not, choose a new password at once, which ends every session:',
        `${dashboard}/reset-password`,
      ].join('\n\n'),
    }),
    /** To the owners of a merchant, after a change in live mode that moves money or secrets. */
    ownersNotice: (to: string, o: { actor: string; deed: string }): Mail => ({
      to,
      subject: `A change in live mode by ${o.actor}`,
      text: [
        `${o.actor} ${o.deed} in live mode.`,
        'If that was not agreed, see what happened, and end the sessions and keys you do not know:',
        `${dashboard}/live/audit`,
      ].join('\n\n'),
    }),
    /** To the owners of a merchant, after a failure in live mode that needs a person. It names no payer. */
    trouble: (to: string, o: { type: TroubleEventType; groupId: string }): Mail => ({
      to,
      subject: TROUBLES[o.type].subject,
      text: [
        TROUBLES[o.type].text,
        'See which payment it is, and what happened:',
        `${dashboard}/live/group-payments/${o.groupId}`,
      ].join('\n\n'),
    }),
    /** To the owners and developers of a merchant, about a webhook endpoint that acknowledges nothing. */
    endpointFailing: (to: string, o: EndpointFailing): Mail => ({
      to,
      subject:
        o.trouble === 'given_up'
          ? 'Events for a webhook endpoint are no longer tried'
          : 'A webhook endpoint acknowledges nothing',
      text: [
        ...describeEndpointFailure(o),
        'See what your server answered, mend it, and send a test event. Then have what it missed sent again, for up to 30 days:',
        `${dashboard}/live/webhooks/${o.endpoint_id}`,
      ].join('\n\n'),
    }),
    /** To the owners of a merchant, after a change of the team. */
    teamNotice: (to: string, o: { actor: string; deed: string }): Mail => ({
      to,
      subject: `A change of your team by ${o.actor}`,
      text: [
        `${o.actor} ${o.deed}.`,
        'If that was not agreed, look at your team:',
        `${dashboard}/live/team`,
      ].join('\n\n'),
    }),
    /** To the owners of a merchant, after a change of its name. It repeats neither name: one could be read as a link. */
    renamedNotice: (to: string, o: { actor: string }): Mail => ({
      to,
      subject: `Your business was renamed by ${o.actor}`,
      text: [
        `${o.actor} changed the name of your business, which payers read on pages and in mails.`,
        'If that was not agreed, see both names in the audit log and change it back:',
        `${dashboard}/live/audit`,
      ].join('\n\n'),
    }),
    invitation: (to: string, o: { merchantName: string; invitedBy: string; secret: string }): Mail => ({
      to,
      subject: `${o.invitedBy} invites you to ${nameWithoutLink(o.merchantName)}`,
      text: [
        `${o.invitedBy} invites you to the dashboard of ${nameWithoutLink(o.merchantName)}. Open this link to accept:`,
        link('invitation', o.secret),
        'It works once, for seven days.',
      ].join('\n\n'),
    }),
  };
}

/** Returns a merchant's name; a name that could be read as a link is replaced, for a stranger may have chosen it. */
function nameWithoutLink(name: string): string {
  return readsAsLink(name) ? 'a team' : name;
}

export type Letters = ReturnType<typeof letters>;
