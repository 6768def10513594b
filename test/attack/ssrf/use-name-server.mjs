/**
 * Loaded into the processes of a stack by `NODE_OPTIONS=--import`: every resolver asks the name server that the test
 * controls. What a process does with the answers stays its own.
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
