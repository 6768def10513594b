/** A block of code in a guide. */
export type GuideBlock = { readonly language: string; readonly text: string };

/** Lists the blocks of code of the guides, or of the one with this heading, in their order. */
export function listGuideBlocks(guides: string, heading?: string): readonly GuideBlock[] {
  const all = [...guides.matchAll(/^(?:# (?<heading>.+)|```(?<language>\w*)\n(?<text>[^]*?)\n```)$/gm)];
  let at = '';
  return all.flatMap(({ groups = {} }) => {
    at = groups['heading'] ?? at;
    const { language, text } = groups;
    if (language === undefined || text === undefined) return [];
    return heading === undefined || heading === at ? [{ language, text }] : [];
  });
}
