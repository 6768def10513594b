/**
 * Returns the environment of a process that a test starts: the search path, Node's compile cache (without it every
 * process strips and compiles its sources anew, half a second each), and nothing else of ours.
 */
export function childEnv(env: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  return { PATH, ...(NODE_COMPILE_CACHE !== undefined && { NODE_COMPILE_CACHE }), ...env };
}
