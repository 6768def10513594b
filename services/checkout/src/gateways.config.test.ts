import { describe, expect, it } from '@jest/globals';
import { defineConfig, readConfig, toVariableName } from '@gp/config';
import { findManifest, pspCodes } from '@gp/gateway-registry';
import { listSources, toBrowserGateway } from './domain/gateway-parts.ts';
import { gatewaysConfig, listInsecureAddresses, readAddressBook } from './gateways.config.ts';

const read = (env: Record<string, string> = {}) => readConfig(defineConfig(gatewaysConfig), env);
const readParts = (env: Record<string, string>, code: (typeof pspCodes)[number]) => {
  const addresses = readAddressBook(read(env)).test[code];
  return { gateway: toBrowserGateway(code, addresses), sources: listSources(addresses) };
};

describe('the settings of the gateways', () => {
  it('the settings of the gateways have the names under which the manifests lead the page to the sandbox', () => {
    const names = Object.keys(gatewaysConfig);
    expect(names.map(toVariableName)).toEqual(names);
    for (const code of pspCodes) {
      const { pageSettings } = findManifest(code).sandbox;
      expect(names).toEqual(expect.arrayContaining(Object.keys(pageSettings)));
    }
  });

  it("the settings of the gateways default to the vendors' own addresses, which are safe for live cards", () => {
    const book = readAddressBook(read());
    for (const code of pspCodes) {
      const { library, bank } = findManifest(code).page;
      expect(book.live[code]).toMatchObject(
        bank ? { bank: bank.live } : { script: library?.script.live, origins: library?.origins.live },
      );
    }
    expect(listInsecureAddresses(read())).toEqual([]);
  });

  it.each(pspCodes)('the settings of the gateways refuse a live address of %s that is not https:', (code) => {
    const name = `${code}_LIVE_${findManifest(code).page.bank ? 'URL' : 'SCRIPT'}`.toUpperCase();
    expect(listInsecureAddresses(read({ [name]: 'http://cards.example' }))).toEqual([
      `${name} must be https: live cards are typed there`,
    ]);
  });
});

describe('a library that the sandbox may replace', () => {
  const code = pspCodes.find((known) => findManifest(known).page.hasSandboxFrame) ?? pspCodes[0]!;
  const frame = `${code}_TEST_FRAME`.toUpperCase();

  it('a replaceable library is loaded without a frame, and only the library is allowed', () => {
    const { gateway, sources } = readParts({}, code);
    expect(gateway).toEqual({
      psp_code: code,
      frame: null,
      script: findManifest(code).page.library?.script.test,
    });
    expect(sources.script).not.toEqual([]);
  });

  it('a replaced library gives way to the frame, and only the frame is allowed', () => {
    const { gateway, sources } = readParts({ [frame]: 'http://sandbox.example/field?x=1' }, code);
    expect(gateway).toEqual({ psp_code: code, frame: 'http://sandbox.example/field?x=1', script: null });
    expect(sources).toEqual({ script: [], connect: [], frame: ['http://sandbox.example'], form: [] });
  });
});
