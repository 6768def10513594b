import type { ComponentType } from 'react';
import type { IconName } from './parts/icon.tsx';

/** A page behind the login, at `/{mode}/{path}`. Its code is loaded when it is first opened. */
export type Screen = {
  readonly path: string;
  readonly title: string;
  /** Its place in the navigation; screens without one are linked from others. */
  readonly nav?: { readonly section: Section; readonly icon: IconName; readonly testOnly?: boolean };
  readonly load: () => Promise<{ default: ComponentType }>;
};

export const SECTIONS = ['Payments', 'Integration', 'Account'] as const;
export type Section = (typeof SECTIONS)[number];

export const screens: readonly Screen[] = [
  {
    path: '',
    title: 'Home',
    nav: { section: 'Payments', icon: 'home' },
    load: () => import('./screens/home/home.screen.tsx'),
  },
  {
    path: 'group-payments',
    title: 'Group payments',
    nav: { section: 'Payments', icon: 'payments' },
    load: () => import('./screens/group-payments/group-payments.screen.tsx'),
  },
  {
    path: 'group-payments/new',
    title: 'New group payment',
    load: () => import('./screens/new-payment/new-payment.screen.tsx'),
  },
  {
    path: 'group-payments/:id',
    title: 'Group payment',
    load: () => import('./screens/group-payment/group-payment.screen.tsx'),
  },
  {
    path: 'customers',
    title: 'Customers',
    nav: { section: 'Payments', icon: 'person' },
    load: () => import('./screens/customers/customers.screen.tsx'),
  },
  {
    path: 'customers/:id',
    title: 'Customer',
    load: () => import('./screens/customer/customer.screen.tsx'),
  },
  {
    path: 'money',
    title: 'Money',
    nav: { section: 'Payments', icon: 'coins' },
    load: () => import('./screens/money/money.screen.tsx'),
  },
  {
    path: 'money/movements',
    title: 'Movements',
    load: () => import('./screens/movements/movements.screen.tsx'),
  },
  {
    path: 'events',
    title: 'Events',
    nav: { section: 'Payments', icon: 'list' },
    load: () => import('./screens/events/events.screen.tsx'),
  },
  {
    path: 'events/:id',
    title: 'Event',
    load: () => import('./screens/event/event.screen.tsx'),
  },
  {
    path: 'quick-start',
    title: 'Quick start',
    nav: { section: 'Integration', icon: 'book' },
    load: () => import('./screens/quick-start/quick-start.screen.tsx'),
  },
  {
    path: 'webhooks',
    title: 'Webhooks',
    nav: { section: 'Integration', icon: 'bell' },
    load: () => import('./screens/webhooks/webhooks.screen.tsx'),
  },
  {
    path: 'webhooks/:id',
    title: 'Webhook endpoint',
    load: () => import('./screens/webhook/webhook.screen.tsx'),
  },
  {
    path: 'requests',
    title: 'Requests',
    nav: { section: 'Integration', icon: 'code' },
    load: () => import('./screens/requests/requests.screen.tsx'),
  },
  {
    path: 'requests/:id',
    title: 'Request',
    load: () => import('./screens/request/request.screen.tsx'),
  },
  {
    path: 'origins',
    title: 'Web origins',
    nav: { section: 'Integration', icon: 'shield' },
    load: () => import('./screens/origins/origins.screen.tsx'),
  },
  {
    path: 'branding',
    title: 'Branding',
    nav: { section: 'Account', icon: 'brush' },
    load: () => import('./screens/branding/branding.screen.tsx'),
  },
  {
    path: 'payer-mails',
    title: 'Mails to payers',
    nav: { section: 'Account', icon: 'mail' },
    load: () => import('./screens/payer-mails/payer-mails.screen.tsx'),
  },
  {
    path: 'organisers',
    title: 'Organisers',
    nav: { section: 'Account', icon: 'people' },
    load: () => import('./screens/organisers/organisers.screen.tsx'),
  },
  {
    path: 'test-clock',
    title: 'Test clock',
    nav: { section: 'Integration', icon: 'clock', testOnly: true },
    load: () => import('./screens/test-clock/test-clock.screen.tsx'),
  },
  {
    path: 'sandbox-cards',
    title: 'Sandbox cards',
    nav: { section: 'Integration', icon: 'card', testOnly: true },
    load: () => import('./screens/sandbox-cards/sandbox-cards.screen.tsx'),
  },
  {
    path: 'keys',
    title: 'API keys',
    nav: { section: 'Integration', icon: 'key' },
    load: () => import('./screens/keys/keys.screen.tsx'),
  },
  {
    path: 'gateways',
    title: 'Gateways',
    nav: { section: 'Payments', icon: 'plug' },
    load: () => import('./screens/gateways/gateways.screen.tsx'),
  },
  {
    path: 'team',
    title: 'Team',
    nav: { section: 'Account', icon: 'people' },
    load: () => import('./screens/team/team.screen.tsx'),
  },
  {
    path: 'audit',
    title: 'Audit log',
    nav: { section: 'Account', icon: 'book' },
    load: () => import('./screens/audit/audit.screen.tsx'),
  },
  {
    path: 'profile',
    title: 'Profile',
    nav: { section: 'Account', icon: 'gear' },
    load: () => import('./screens/profile/profile.screen.tsx'),
  },
];

/** A page before the login, at `/{path}`; the login itself is in the router. */
export type PublicScreen = Pick<Screen, 'path' | 'title' | 'load'>;

export const publicScreens: readonly PublicScreen[] = [
  {
    path: 'sign-up',
    title: 'Create your account',
    load: () => import('./screens/account/sign-up.screen.tsx'),
  },
  {
    path: 'sign-up/confirm',
    title: 'Confirm your address',
    load: () => import('./screens/account/sign-up-confirm.screen.tsx'),
  },
  {
    path: 'reset-password',
    title: 'Choose a new password',
    load: () => import('./screens/account/reset-password.screen.tsx'),
  },
  {
    path: 'reset-password/confirm',
    title: 'Your new password',
    load: () => import('./screens/account/reset-password-confirm.screen.tsx'),
  },
  {
    path: 'invitation',
    title: 'Your invitation',
    load: () => import('./screens/account/invitation.screen.tsx'),
  },
];
