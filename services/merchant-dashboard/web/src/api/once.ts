import { useState } from 'react';
import { onceOnly, type Once } from './once-only.ts';

/** `onceOnly` for as long as a screen is shown. */
export function useOnce(): Once {
  return useState(() => onceOnly())[0];
}
