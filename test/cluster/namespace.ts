import { NAMESPACE } from './constants.ts';

let current: string = NAMESPACE;

/** The namespace of the release that is worked with: that of the cluster, or a drill's own. */
export const namespace = (): string => current;

/** Works with the release of another namespace from now on. */
export const workIn = (name: string): void => void (current = name);
