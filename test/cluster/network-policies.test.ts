import { describe, expect, it } from '@jest/globals';
import { matches, renderRules, type Pod, type Policy } from './network-policies.ts';

const pod = (name: string, podIP: string, namespace = 'payments'): Pod => ({
  metadata: { name, namespace, labels: { app: name } },
  spec: { containers: [{ ports: [{ name: 'http', containerPort: 8080 }] }] },
  status: { podIP, phase: 'Running' },
});
const policy = (spec: Policy['spec']): Policy => ({ metadata: { name: 'p', namespace: 'payments' }, spec });
const select = (app: string) => ({ podSelector: { matchLabels: { app } } });
const render = (spec: Policy['spec'], pods = [pod('a', '10.244.1.2'), pod('b', '10.244.2.2')]) =>
  renderRules({
    pods,
    policies: [policy(spec)],
    namespaces: [
      { metadata: { name: 'payments' } },
      { metadata: { name: 'other', labels: { role: 'edge' } } },
    ],
  });

describe('rules of network policies', () => {
  it('rules drop what enters a pod with a policy that allows nothing', () => {
    const rules = render({ podSelector: {}, policyTypes: ['Ingress'] });
    expect(rules).toContain('chain ingress_10_244_1_2 {\n    counter drop comment "payments/a"');
    expect(rules).toContain('ip daddr vmap { 10.244.1.2 : jump ingress_10_244_1_2, 10.244.2.2');
    expect(rules).not.toContain('saddr vmap');
  });

  it('rules drop what leaves a pod with a policy that allows nothing, to other pods and to the node', () => {
    const rules = render({ ...select('a'), policyTypes: ['Egress'] });
    expect(rules).toContain('chain egress_10_244_1_2 {\n    counter drop comment "payments/a"');
    expect(rules.split('ip saddr vmap { 10.244.1.2 : jump egress_10_244_1_2 }')).toHaveLength(3);
  });

  it('rules leave a pod alone that no policy selects', () => {
    expect(render({ ...select('c'), policyTypes: ['Ingress', 'Egress'] })).not.toContain('vmap');
  });

  it('rules resolve the name of a port at the pod that is entered', () => {
    const ports = [{ port: 'http' }];
    expect(
      render({ ...select('a'), policyTypes: ['Egress'], egress: [{ to: [select('b')], ports }] }),
    ).toContain('ip daddr 10.244.2.2 tcp dport 8080 accept');
  });

  it('rules allow peers of another namespace by its labels only', () => {
    const from = [{ namespaceSelector: { matchLabels: { role: 'edge' } } }];
    const pods = [pod('a', '10.244.1.2'), pod('b', '10.244.2.2'), pod('e', '10.244.2.3', 'other')];
    const rules = render({ ...select('a'), ingress: [{ from }] }, pods);
    expect(rules).toContain('ip saddr 10.244.2.3 accept');
    expect(rules).not.toContain('ip saddr 10.244.2.2 accept');
  });

  it('rules leave ranges out of a block, and ignore addresses of IPv6', () => {
    const to = [
      { ipBlock: { cidr: '0.0.0.0/0', except: ['10.0.0.0/8'] } },
      { ipBlock: { cidr: '2000::/3' } },
    ];
    const rules = render({ ...select('a'), policyTypes: ['Egress'], egress: [{ to }] });
    expect(rules).toContain('ip daddr 0.0.0.0/0 ip daddr != { 10.0.0.0/8 } accept');
    expect(rules).not.toContain('2000::');
  });

  it.each([
    ['In', ['x'], true],
    ['NotIn', ['x'], false],
    ['Exists', [], true],
    ['DoesNotExist', [], false],
  ])('a selector matches by its operator %s', (operator, list, fits) => {
    expect(matches({ matchExpressions: [{ key: 'k', operator, values: list }] }, { k: 'x' })).toBe(fits);
  });
});
