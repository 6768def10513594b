import { awaitsCapture } from '../capture/capture.ts';
import { findIntent, isCollecting, isEnded, isOpen, type Capture, type Group } from './group.ts';

/** Returns true while the group is collecting and not every slot is held. */
export function awaitsPayers(group: Group): boolean {
  return isCollecting(group) && group.state !== 'preauthorised';
}

/**
 * Returns true once no change of the group is expected, except by a new refund or when a gateway corrects an earlier
 * outcome: it ended without a capture, or no capture can still succeed and no refund is open.
 */
export function isSettled(group: Group): boolean {
  if (isEnded(group) && group.captures.length === 0) return true;
  if (isCollecting(group) || group.refundLines.some(isOpen)) return false;
  return !group.captures.some((capture) => canSucceed(group, capture));
}

// A failed capture keeps its hold for an operator's retry; a withdrawn one may have had its effect.
function canSucceed(group: Group, capture: Capture): boolean {
  const intent = findIntent(group, capture.intentId);
  return isOpen(capture) || (intent !== undefined && awaitsCapture(intent, capture));
}
