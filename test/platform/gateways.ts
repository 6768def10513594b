import {
  findManifest,
  findGatewayFolder,
  listSandboxPorts,
  toProcessName,
  pspCodes,
  type PspCode,
} from '@gp/gateway-registry';

type Settings = Readonly<Record<string, string>>;

/** A template of the chart that becomes the name of an object of the release. */
const ownName = '{{ include "gp.fullname" . }}';
const buildHost = (name: string) => `{{ include "gp.url" (list . "${name}") }}`;
const SANDBOX_PORT = 8090;

/**
 * Processes that the chart has because of the gateways: an adapter for each, and the settings by which others reach
 * adapters and the sandbox. The chart lays it over processes.yaml.
 */
export function gatewayProcesses() {
  return {
    ...Object.fromEntries(pspCodes.map((code) => [toProcessName(code), describeAdapter(code)])),
    checkout: { setForSandbox: pageSettings(), onlyWithSandbox: Object.keys(pageSettings()).filter(isFrame) },
    scheduler: { set: { TEST_CLOCK_FOLLOWERS: followers() } },
    'merchant-dashboard': { setForSandbox: { SANDBOX_CALLBACKS: pspCodes.map(callbackAddress).join(',') } },
    'psp-sandbox': { ports: sandboxPorts() },
  };
}

function describeAdapter(code: PspCode) {
  const { hasReturns, internetPorts, sandbox } = findManifest(code);
  return {
    folder: findGatewayFolder(code),
    schema: code,
    migrations: ['libs/outbox/migrations', 'libs/gateway/migrations'],
    ports: { http: { number: 8080, setting: 'PORT' } },
    public: {
      host: 'callbacks',
      paths: [`/callbacks/${code}`, ...(hasReturns ? [`/returns/${code}`] : [])],
    },
    seals: true,
    internet: internetPorts ?? [443],
    callsSandbox: true,
    hearsSandbox: true,
    ...(hasReturns && {
      set: { PUBLIC_URL: `{{ include "gp.adapterUrl" (list . "${toProcessName(code)}") }}` },
    }),
    setForSandbox: Object.fromEntries(
      Object.entries(sandbox.adapterSettings).map(([name, { port, path }]) => [
        name,
        `http://${ownName}-psp-sandbox:${sandboxPort(port)}${path}`,
      ]),
    ),
  };
}

/** Browsers reach every port of the sandbox under its one public address. */
function pageSettings(): Settings {
  const settings = pspCodes.flatMap((code) => Object.entries(findManifest(code).sandbox.pageSettings));
  return Object.fromEntries(settings.map(([name, { path }]) => [name, buildHost('sandbox') + path]));
}

/** A frame of the sandbox replaces the vendor's library: it must not stand in an installation for live payments. */
const isFrame = (setting: string): boolean => setting.endsWith('_TEST_FRAME');

const followers = (): string =>
  `${pspCodes.join(',')},{{ if .Values.sandbox.enabled }}psp_sandbox,{{ end }}webhooks,ledger`;

const callbackAddress = (code: PspCode): string =>
  `${code}=http://${ownName}-${toProcessName(code)}:8080/callbacks/${code}`;

const sandboxPort = (wanted: string): number =>
  listSandboxPorts().find(({ name }) => name === wanted)?.number ?? SANDBOX_PORT;

const sandboxPorts = () =>
  Object.fromEntries(listSandboxPorts().map(({ name, number, setting }) => [name, { number, setting }]));
