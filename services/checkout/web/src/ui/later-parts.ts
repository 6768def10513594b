import type { LaterParts } from '../state/model.ts';
import { Card } from './card.tsx';
import { fitBar } from './fit-bar.ts';
import { Checking, Done, GroupOutcome } from './outcome.tsx';
import { NoGateway } from './no-gateway.tsx';
import { Leave, PayAgain } from './question.tsx';
import { Shares } from './shares.tsx';
import { TakeNone } from './take-none.tsx';

/** The parts that the first drawing has only for who comes back, and for a group that takes no payments. */
export const LATER_PARTS: LaterParts = {
  scenes: { card: Card, checking: Checking, done: Done, over: GroupOutcome },
  Shares,
  NoGateway,
  TakeNone,
  PayAgain,
  Leave,
  fitBar,
};
