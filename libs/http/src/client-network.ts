/**
 * Returns the network that identifies a client: its IPv4 address, or the /64 network of its IPv6 address, because
 * a household or an attacker has 2^64 addresses in it. Any other text is returned unchanged.
 */
export function clientNetwork(address: string): string {
  const mapped = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (!/^[0-9a-f:.]+(?:%.*)?$/i.test(address) || !address.includes(':')) return address;
  const [head = '', tail] = address.split('%', 1)[0]?.split('::') ?? [];
  const groups = (text: string | undefined): string[] => (text ? text.split(':') : []);
  const missing = Math.max(0, 8 - groups(head).length - groups(tail).length);
  const whole = tail === undefined ? groups(head) : [...groups(head), ...zeros(missing), ...groups(tail)];
  return `${whole
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}

const zeros = (count: number): string[] => Array.from({ length: count }, () => '0');
