import type { ComponentType } from 'react';
import type { IconName } from './parts/icon.tsx';

/** A page behind the login, at `/{mode}/{path}`. Its code is loaded when somebody goes there. */
export type Screen = {
  readonly path: string;
  readonly title: string;
  /** Where it stands in the navigation; screens without are reached from others. */
  readonly nav?: { readonly section: Section; readonly icon: IconName; readonly testOnly?: boolean };
  readonly load: () => Promise<{ default: ComponentType }>;
};

export const SECTIONS = ['Payments', 'Developers', 'Account'] as const;
export type Section = (typeof SECTIONS)[number];

export const screens: readonly Screen[] = [
  {
    path: '',
    title: 'Home',
    nav: { section: 'Payments', icon: 'home' },
    load: () => import('./screens/home/home.screen.tsx'),
  },
];

/** A page before the login, at `/{path}`. */
export type PublicScreen = Pick<Screen, 'path' | 'title' | 'load'>;

export const publicScreens: readonly PublicScreen[] = [];
