import { readFileSync } from 'node:fs';
import { Agent } from 'node:https';

/** Paths of files in PEM that prove a collector and this process to each other. */
export type TlsFiles = {
  /** Certificates of the authority of the collector; those of Node without it. */
  readonly authority?: string | undefined;
  /** Key and certificate of this process, for a collector that asks for one. */
  readonly key?: string | undefined;
  readonly certificate?: string | undefined;
};

/**
 * Returns an agent that reads the files again for each new connection, so that renewed ones count without a restart. A
 * connection fails while a file is missing or wrong.
 */
export function openTlsAgent(files: TlsFiles): Agent {
  // A resumed session would go on with the certificates of an earlier connection.
  const agent = new Agent({ keepAlive: true, maxCachedSessions: 0 });
  const connect = agent.createConnection.bind(agent);
  agent.createConnection = (options, callback) => {
    try {
      return connect({ ...options, ...readTlsFiles(files) }, callback);
    } catch (error) {
      const fail = callback as ((error: unknown) => void) | undefined;
      fail?.(error);
      return undefined;
    }
  };
  return agent;
}

function readTlsFiles({ authority, key, certificate }: TlsFiles) {
  const read = (path: string | undefined) => (path === undefined ? undefined : readFileSync(path));
  return { ca: read(authority), key: read(key), cert: read(certificate) };
}
