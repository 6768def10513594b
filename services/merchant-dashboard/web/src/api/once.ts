import { useState } from 'react';
import { onceOnly, type Once } from './once-only.ts';

/** Keeps one `onceOnly` while a screen is shown. */
export function useOnce(): Once {
  return useState(() => onceOnly())[0];
}
