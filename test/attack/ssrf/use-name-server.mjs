/**
 * Loaded into the processes of a stack by `NODE_OPTIONS=--import`: every resolver queries the name server that the test
 * controls. The use of its answers is not changed.
 */
import dns from 'node:dns/promises';
import { syncBuiltinESMExports } from 'node:module';

const server = process.env.TEST_NAME_SERVER;
if (server !== undefined) {
  dns.Resolver = class extends dns.Resolver {
    constructor(options) {
      super(options);
      this.setServers([server]);
    }
  };
  syncBuiltinESMExports();
}
