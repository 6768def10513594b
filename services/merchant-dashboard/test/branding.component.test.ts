import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { openDashboard, type Dashboard, type Member } from './support/dashboard.ts';

let dashboard: Dashboard;
let member: Member;

beforeAll(async () => (dashboard = await openDashboard()));
afterAll(() => dashboard?.close());
beforeEach(async () => {
  member = await dashboard.newMerchant();
  dashboard.forget();
});

const put = (brand_color: unknown, mode: unknown = 'test') =>
  member.put('/api/branding', { mode, brand_color });
const read = async (mode = 'test') => (await member.get(`/api/branding?mode=${mode}`)).body;

describe("a merchant's colour", () => {
  it("a merchant's colour is stored in small letters, announced beside the other settings and taken back (Q52)", async () => {
    expect(await read()).toEqual({ brand_color: null, logo: null });
    await member.put('/api/origins', { mode: 'test', origins: ['https://shop.example'] });
    expect(await put('#0B5D3B')).toMatchObject({ status: 200, body: { brand_color: '#0b5d3b' } });
    expect(await read()).toEqual({ brand_color: '#0b5d3b', logo: null });
    expect((await put(null)).body).toEqual({ brand_color: null, logo: null });
    expect(await read()).toEqual({ brand_color: null, logo: null });
    const announced = (await dashboard.receive(3)).map((message) => {
      const { origins, settings, revision } = message as Record<string, unknown>;
      return { origins, settings, revision };
    });
    const origins = ['https://shop.example'];
    expect(announced).toEqual(
      ['', '#0b5d3b', ''].map((brand_color, index) => ({
        origins,
        settings: {
          business_name: 'Casa Lola',
          brand_color,
          support_email: '',
          support_url: '',
          payer_mails: false,
          organiser_rights: [],
        },
        revision: index + 1,
      })),
    );
    const entries = await dashboard.rows(
      `select details from audit_log where merchant_id = $1 and action = 'branding.changed' order by id`,
      [member.id],
    );
    expect(entries).toEqual(
      ['#0b5d3b', null].map((brand_color) => ({ details: { mode: 'test', brand_color } })),
    );
  });

  it("a merchant's colour of one mode is not that of the other, nor of another merchant (S9)", async () => {
    await put('#0b5d3b', 'live');
    expect(await read('live')).toEqual({ brand_color: '#0b5d3b', logo: null });
    expect(await read('test')).toEqual({ brand_color: null, logo: null });
    const other = await dashboard.newMerchant();
    expect((await other.get('/api/branding?mode=live')).body).toEqual({ brand_color: null, logo: null });
  });

  it.each(['', 'red', '#123', '#12345g', '#0b5d3b;color:red', 'url(x)', 7, {}, undefined])(
    "a merchant's colour that is none is a 400 that names it, and nothing changes: %j",
    async (wrong) => {
      await put('#0b5d3b');
      expect(await put(wrong)).toMatchObject({ status: 400, body: { param: 'brand_color' } });
      expect(await read()).toEqual({ brand_color: '#0b5d3b', logo: null });
    },
  );
});
