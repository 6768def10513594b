import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { optional, text, toVariableName, type ConfigOf } from '@gp/config';
import type { OtlpSettings } from '@gp/telemetry';

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

const file = (describe: string) => optional(text({ describe }));

/** The standard variables of OpenTelemetry for TLS to the collector: paths of files in PEM. */
export const otlpTlsConfig = {
  otelExporterOtlpCertificate: file(
    'File with the certificates (PEM) of the authority that signed the collector’s own; by default those of Node',
  ),
  otelExporterOtlpTracesCertificate: file('The same, for traces'),
  otelExporterOtlpClientKey: file(
    'File with the private key (PEM) that proves this process to the collector',
  ),
  otelExporterOtlpTracesClientKey: file('The same, for traces'),
  otelExporterOtlpClientCertificate: file('File with the certificate (PEM) of that key, first of its chain'),
  otelExporterOtlpTracesClientCertificate: file('The same, for traces'),
};

type TlsConfig = ConfigOf<typeof otlpTlsConfig>;
type Part = 'Certificate' | 'ClientKey' | 'ClientCertificate';
type NamedFile = { readonly variable: string; readonly path: string };

/** Returns the files that prove collector and process to each other; undefined where none is named. */
export function toTlsFiles(config: TlsConfig): OtlpSettings['tls'] {
  const files = {
    authority: findFile(config, 'Certificate')?.path,
    key: findFile(config, 'ClientKey')?.path,
    certificate: findFile(config, 'ClientCertificate')?.path,
  };
  return Object.values(files).some((path) => path !== undefined) ? files : undefined;
}

/** Returns a sentence for every file that cannot be used with the collector at `address`, by its variable. */
export function listTlsFaults(config: TlsConfig, address: string): readonly string[] {
  const authority = findFile(config, 'Certificate');
  const key = findFile(config, 'ClientKey');
  const certificate = findFile(config, 'ClientCertificate');
  // A file beside an address without TLS is a mistake in one of the two, and traces would go in the clear.
  if (new URL(address).protocol !== 'https:')
    return [authority, key, certificate].flatMap((given) =>
      given ? [`${given.variable} needs a collector with an https:// address`] : [],
    );

  const faults: string[] = [];
  const load = <T>(from: NamedFile | undefined, holds: string, parse: (pem: string) => T): T | undefined => {
    if (from === undefined) return undefined;
    const loaded = readPem(from.path, parse);
    if ('value' in loaded) return loaded.value;
    faults.push(`${from.variable} ${loaded.isRead ? `must hold ${holds} in PEM` : 'cannot be read'}`);
    return undefined;
  };
  load(authority, 'certificates', parseCertificates);
  const [own] = load(certificate, 'certificates', parseCertificates) ?? [];
  const secret = load(key, 'a private key without a passphrase', createPrivateKey);
  if (key && !certificate) faults.push(`${key.variable} needs OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE`);
  if (certificate && !key) faults.push(`${certificate.variable} needs OTEL_EXPORTER_OTLP_CLIENT_KEY`);
  if (key && certificate && own && secret && !own.checkPrivateKey(secret))
    faults.push(`${key.variable} must be the key of ${certificate.variable}`);
  return faults;
}

/** The variable for traces counts more than the one for all signals. */
function findFile(config: TlsConfig, part: Part): NamedFile | undefined {
  for (const name of [`otelExporterOtlpTraces${part}`, `otelExporterOtlp${part}`] as const) {
    const path = config[name];
    if (path !== undefined) return { variable: toVariableName(name), path };
  }
  return undefined;
}

function readPem<T>(
  path: string,
  parse: (pem: string) => T,
): { readonly value: T } | { readonly isRead: boolean } {
  let isRead = false;
  try {
    const pem = readFileSync(path, 'utf8');
    isRead = true;
    return { value: parse(pem) };
  } catch {
    return { isRead };
  }
}

/** OpenSSL takes a file without certificates as one that trusts nobody, and says nothing. */
function parseCertificates(pem: string): X509Certificate[] {
  const found = pem.match(CERTIFICATE);
  if (!found) throw new Error('no certificate');
  return found.map((block) => new X509Certificate(block));
}
