/** Returns the text of a workspace's `routes.json`: every route as `METHOD /path`, in the order of their paths. */
export function listRoutes(routes: readonly { readonly method: string; readonly path: string }[]): string {
  const sorted = routes.map(({ method, path }) => ({ method, path })).toSorted(byPath);
  return `${JSON.stringify(
    sorted.map(({ method, path }) => `${method} ${path}`),
    null,
    2,
  )}\n`;
}

type At = { readonly method: string; readonly path: string };

const byPath = (a: At, b: At): number => (`${a.path} ${a.method}` < `${b.path} ${b.method}` ? -1 : 1);
