/** `/v1/webhooks/{id}` → `/v1/webhooks/:id`. */
export function expressPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}
