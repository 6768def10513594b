import { describe, expect, it } from '@jest/globals';
import { ask, type Values } from './helm.ts';

describe('values that cannot be meant', () => {
  it.each([
    ['a misspelt key', { ingres: { enabled: true } }, /additional properties 'ingres' not allowed/],
    ['a misspelt key of a service', { services: { checkout: { replica: 2 } } }, /'replica' not allowed/],
    ['an unknown service', { services: { chekout: {} } }, /'chekout' not allowed/],
    [
      'a setting that does not exist',
      { services: { checkout: { settings: { PROT: 1 } } } },
      /'PROT' not allowed/,
    ],
    ['a setting out of range', { services: { checkout: { settings: { SIGNING_KEY_DAYS: 0 } } } }, /minimum/],
    [
      'a secret as a value',
      { services: { checkout: { settings: { ENCRYPTION_KEY: 'x' } } } },
      /'ENCRYPTION_KEY' not allowed/,
    ],
    ['a password in an address', { postgres: { url: 'postgres://a:b@db.svc/gp' } }, /\/postgres\/url/],
    ['a limit of CPU', { defaults: { resources: { limits: { cpu: 1 } } } }, /'cpu' not allowed/],
    [
      'a grace that cuts work off',
      { defaults: { shutdown: { longestWorkSeconds: 5 } } },
      /minimum: got 5, want 25/,
    ],
    [
      'a key under its old habit',
      { replicaCount: 3 },
      /`replicaCount` does not exist: say defaults.replicas/,
    ],
    ['no secret', { keys: { secret: '' } }, /`keys.secret` must be given/],
    [
      'services that could read the migrations’ secret (H1)',
      { postgres: { adminSecret: 'group-payments-postgres' } },
      /must be another secret/,
    ],
    [
      'a mail server without a sender',
      { mail: { url: 'smtp://relay.mail.svc' } },
      /`mail.from` must be given/,
    ],
    ['trial servers without the sandbox', { bundled: { enabled: true } }, /`bundled` is for trying out/],
    [
      'trial servers beside others',
      { bundled: { enabled: true }, sandbox: { enabled: true }, hosts: { sandbox: 's.example.com' } },
      /`bundled` brings its own servers/,
    ],
    ['a mailbox that everybody reads', { mail: { mailbox: true } }, /`mail.mailbox` is for trying out/],
    ...['checkout', 'merchant-dashboard'].map((service): [string, Values, RegExp] => [
      `a folder for the mails of ${service} (Q109)`,
      { services: { [service]: { settings: { MAIL_URL: 'file:///var/mail' } } } },
      new RegExp(`services\\.${service}\\.settings\\.MAIL_URL. names a folder`),
    ]),
    [
      'certificates for a collector without TLS (Q53)',
      { telemetry: { otlpEndpoint: 'http://collector.monitoring.svc:4318', caSecret: 'collector-ca' } },
      /`telemetry.caSecret` and `telemetry.clientSecret` need a `telemetry.otlpEndpoint` with https/,
    ],
    ['a sandbox without a host', { sandbox: { enabled: true } }, /`hosts.sandbox` must be given/],
    [
      'KEDA without Prometheus',
      { webhookScaling: { keda: true } },
      /`webhookScaling.prometheusUrl` must be given/,
    ],
    ['a store without entries', { externalSecrets: { enabled: true } }, /`externalSecrets` needs/],
    ['routes without a gateway', { gatewayApi: { enabled: true } }, /`gatewayApi.parentRefs` must name/],
    [
      'a pooler whose address says what its authority decides',
      { postgres: { caSecret: 'ca', poolerUrl: 'postgres://pooler:6432/gp?sslmode=require' } },
      /`postgres.poolerUrl` says sslmode/,
    ],
    [
      'a database nobody can name in a policy',
      { postgres: { url: 'postgres://db.example.com/gp' } },
      /`network.postgres` must say where db.example.com is/,
    ],
    ...(
      [
        ['webhook-dispatcher', { ALLOW_LOOPBACK_WEBHOOKS: true }],
        ['webhook-dispatcher', { RETRY_LADDER_MS: '1000' }],
        ['checkout', { GATEWAY_B_TEST_FRAME: 'https://sandbox.pay.example.com/gateway_b/field' }],
        ['merchant-dashboard', { SANDBOX_URL: 'https://sandbox.pay.example.com' }],
        ['merchant-dashboard', { SANDBOX_CALLBACKS: 'https://a.pay.example.com' }],
      ] as const
    ).map(([service, settings]): [string, Values, RegExp] => {
      const [setting] = Object.keys(settings);
      const sentence = `\`services\\.${service}\\.settings\\.${setting}\` is for development and needs \`sandbox\\.enabled\``;
      return [
        `${setting} without the sandbox`,
        { services: { [service]: { settings } } },
        new RegExp(sentence),
      ];
    }),
  ])('the chart refuses %s with a sentence that names the fault', async (_title, values, sentence) => {
    const { code, errors } = await ask('template', { values });
    expect(code).not.toBe(0);
    expect(errors).toMatch(sentence);
  });

  it('the chart accepts development values with the sandbox, and values that switch nothing on', async () => {
    const given = (ALLOW_LOOPBACK_WEBHOOKS: boolean) => ({
      services: { 'webhook-dispatcher': { settings: { ALLOW_LOOPBACK_WEBHOOKS } } },
    });
    const outcomes = await Promise.all([
      ask('template', { example: 'dev', values: given(true) }),
      ask('template', { example: 'production', values: given(false) }),
    ]);
    expect(outcomes.map(({ code, errors }) => ({ code, errors }))).toEqual(
      outcomes.map(() => ({ code: 0, errors: '' })),
    );
    expect(outcomes[0]?.output).toMatch(/name: ALLOW_LOOPBACK_WEBHOOKS\n\s+value: "true"/);
  });
});
