import type { CommandOf } from '../command.ts';
import { ignore, type CommandResult } from '../decision.ts';
import { findIntent, type Group, type Slot } from '../group/group.ts';
import type { GroupDraft } from '../group/group-draft.ts';

/** The most characters of a name that are shown: enough for two names and their surnames, and little to write a message with. */
export const longestShownName = 40;

/** Characters as people count them: an emoji of several code points is not cut in two. */
const characters = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Returns what of a payer's name is shown: all of it, or the beginning where it is too long (Q97). */
export function cutName(name: string): string {
  if (name.length <= longestShownName) return name;
  const room = longestShownName - 1;
  let kept = '';
  for (const { segment } of characters.segment(name)) {
    if (kept.length + segment.length > room) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}

/**
 * Returns the name that everybody may see at a slot who has the group's link: that of its payer, if he agreed, while his payment
 * holds or has paid the slot (Q97, Q98).
 */
export function findShownName(group: Group, { state, intentId }: Slot): string | null {
  if (intentId === null || (state !== 'preauthorised' && state !== 'captured')) return null;
  return findIntent(group, intentId)?.shownName ?? null;
}

/** Shows the name of a payment's payer no longer, whatever has become of the payment (Q99). */
export function hideName(draft: GroupDraft, { intentId }: CommandOf<'hideName'>): CommandResult {
  const intent = findIntent(draft.group, intentId);
  if (!intent || intent.shownName === null) return ignore('no_shown_name');
  draft.patchIntent(intent, { shownName: null });
  return undefined;
}
