import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { openEdge, type Edge } from './edge.ts';
import { createSigning, serveSigningKeys, tokenWith, type TokenParts } from './session-tokens.ts';

/** An edge for the tests of a file, whose fakes forget between two tests what they were told, and that accepts session tokens of test mode. */
export function useEdge() {
  const signing = createSigning('test');
  let opened: Edge | undefined;
  let checkout: ReturnType<typeof serveSigningKeys> | undefined;
  beforeAll(async () => {
    opened = await openEdge();
    checkout = serveSigningKeys(opened.others, [signing.published]);
  });
  afterAll(async () => {
    await checkout?.close();
    await opened?.close();
  });
  beforeEach(() => opened?.fakes.reset());
  return {
    /** Throws before the first test. */
    get edge(): Edge {
      if (!opened) throw new Error('the edge is not open yet');
      return opened;
    },
    token: (groupId: string, parts?: TokenParts) => tokenWith(signing, groupId, parts),
  };
}
