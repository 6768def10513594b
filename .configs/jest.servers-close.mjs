/** After the last test file: ends what the run started. */
export default () => globalThis.closeTestServers();
