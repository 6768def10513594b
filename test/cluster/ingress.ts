/** The parts of an Ingress and of a Service that decide where a request goes. */
export type Ingress = {
  readonly metadata: { readonly namespace: string };
  readonly spec: {
    readonly rules?: readonly {
      readonly host?: string;
      readonly http?: {
        readonly paths: readonly {
          readonly path: string;
          readonly backend: {
            readonly service: { readonly name: string; readonly port: { readonly name: string } };
          };
        }[];
      };
    }[];
  };
};
export type Service = {
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly spec: {
    readonly clusterIP: string;
    readonly ports: readonly { readonly name?: string; readonly port: number }[];
  };
};

const HEAD = `user www-data www-data;
worker_processes 2;
pid /tmp/nginx.pid;
error_log /dev/stderr warn;
events { worker_connections 1024; }
http {
  access_log off;
  client_body_temp_path /tmp/body; proxy_temp_path /tmp/proxy; fastcgi_temp_path /tmp/fastcgi;
  uwsgi_temp_path /tmp/uwsgi; scgi_temp_path /tmp/scgi;
  server_names_hash_bucket_size 128;
  proxy_http_version 1.1;
  proxy_set_header Connection "";
  proxy_set_header Host $host;
  proxy_set_header X-Forwarded-For $remote_addr;
  proxy_set_header X-Forwarded-Proto https;
  proxy_buffering off;
  proxy_connect_timeout 5s;
  ssl_certificate /etc/ingress-tls/tls.crt;
  ssl_certificate_key /etc/ingress-tls/tls.key;
`;

/** A connection that is not made is tried twice more, as controllers do by default; by the address of a Service it may be another pod's. */
const TRIES = 3;

/** Renders what an ingress controller makes of Ingresses: by host and path over TLS, with kept connections. */
export function renderIngress(ingresses: readonly Ingress[], services: readonly Service[]): string {
  const upstreams = new Map<string, string>();
  const servers: string[] = [];
  for (const { metadata, spec } of ingresses)
    for (const { host, http } of spec.rules ?? []) {
      const locations = (http?.paths ?? []).map(({ path, backend: { service } }) => {
        const address = findAddress(services, metadata.namespace, service.name, service.port.name);
        upstreams.set(service.name, address);
        return `    location ${path} { proxy_pass http://${service.name}; }\n`;
      });
      servers.push(`  server {\n    listen 8443 ssl;\n    server_name ${host};\n${locations.join('')}  }\n`);
    }
  const pools = [...upstreams].map(([name, address]) => {
    const tries = `server ${address} max_fails=0; `.repeat(TRIES);
    return `  upstream ${name} { ${tries}keepalive 16; }\n`;
  });
  return `${HEAD}${pools.join('')}${servers.join('')}}\n`;
}

function findAddress(services: readonly Service[], namespace: string, name: string, port: string): string {
  const found = services.find((one) => one.metadata.namespace === namespace && one.metadata.name === name);
  const number = found?.spec.ports.find((one) => one.name === port)?.port;
  if (found === undefined || number === undefined)
    throw new Error(`no service ${namespace}/${name} has the port ${port}`);
  return `${found.spec.clusterIP}:${number}`;
}
