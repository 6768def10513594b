/** The sentences of mails to payers, and of the page behind their link, that the checkout page does not have. */
const messages = {
  heldSubject: '{amount} is held for {name}',
  chargedSubject: 'Receipt: {amount} for {name}',
  releasedSubject: 'You were not charged: {name}',
  refundedSubject: '{amount} given back: {name}',
  until: 'The bill can be paid until {date}.',
  asked: 'Whoever organises this bill asks you to pay your share.',
  notHeld: 'Nothing is held on your card at the moment.',
  payNow: 'Continue to the payment',
  testSubject: 'Test',
  title: 'Your payment',
  see: 'See your payment',
  why: 'You get this mail because this address was given for a payment. If that was not you, ignore it or stop these mails: nothing is asked of you.',
  mailsOn: 'You get mails about your payments to this merchant.',
  mailsOff: 'You get no more mails about payments to this merchant.',
  unsubscribe: 'Stop these mails',
  subscribe: 'Send me mails again',
  nameShown: 'The others see your name: {name}',
  hideName: 'Hide my name',
};
export type MailMessages = Readonly<Record<keyof typeof messages, string>>;
export default messages satisfies MailMessages;
