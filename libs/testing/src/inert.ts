/**
 * Returns a stand-in for parts that are only wired and never used: every property of it, and the result of every call,
 * is the stand-in again. It lets a generator compose routes without a database or a bus.
 */
export function inert<T>(): T {
  const stand = (): unknown => proxy;
  const proxy: unknown = new Proxy(stand, {
    get: (_target, name) => (name === Symbol.toPrimitive ? () => '' : name === 'then' ? undefined : proxy),
    apply: () => proxy,
  });
  return proxy as T;
}
