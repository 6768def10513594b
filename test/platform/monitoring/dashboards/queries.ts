/** Values of the dashboard's variables: everything. */
const CHOSEN: Readonly<Record<string, string>> = { namespace: '.*', service: '.*', gateway: '.*' };

/** A panel's question as Grafana would put it, with everything chosen and this long an interval for rates. */
export function asked(expr: string, rateInterval: string): string {
  return expr
    .replaceAll('$__rate_interval', rateInterval)
    .replaceAll(/\$(\w+)/g, (variable, name: string) => CHOSEN[name] ?? variable);
}

/** The metrics that a question names. */
export function metricsIn(expr: string): string[] {
  return [...new Set(expr.match(/\b(gp|process|nodejs)_\w+/g))];
}
