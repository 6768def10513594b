import type { Bus } from '@gp/bus';
import { groupChanged, sessionEpochRaised, signingKeysChanged } from '@gp/contracts';
import type { Route } from '@gp/http';
import type { Db } from '@gp/pg';
import type { Loop } from '@gp/service';
import { liveGroups } from './app/live-groups.ts';
import {
  findPayment,
  hideName,
  openFrame,
  openPage,
  renewPageSession,
  type PageParts,
} from './app/open-page.ts';
import { openFriends } from './app/open-friends.ts';
import { mailLinks } from './app/mails/mail-links.ts';
import type { OrganiserReminders } from './app/mails/organiser-reminders.ts';
import type { OwnPaymentParts } from './app/mails/ports.ts';
import { openOrganiserPage } from './app/organiser/open-organiser-page.ts';
import { endReplacedLinks, organiserReader } from './app/organiser/organiser-reader.ts';
import type { OrganiserCalls } from './app/organiser/ports.ts';
import { remind } from './app/organiser/remind.ts';
import { createPace } from './app/pace.ts';
import type { Pages } from './app/pages.ts';
import { payerReturns, refuseForeignOrigin } from './app/payer-returns.ts';
import { payerStreams, type PayerStreams, type StreamLimits } from './app/payer-streams.ts';
import { sessionAccess } from './app/session-access.ts';
import { findGatewaysOfOrigin } from './db/active-gateways.ts';
import { isOriginRegisteredByAnyone, isRegisteredOrigin } from './db/allowed-origins.ts';
import { findLogoContent } from './db/logos.ts';
import { listEpochsOfGroups } from './db/sessions.ts';
import { listSources } from './domain/gateway-parts.ts';
import { admitSession } from './http/admission.ts';
import { assetRoutes } from './http/assets.routes.ts';
import { embedRoutes } from './http/embed.routes.ts';
import { liveOrigins } from './http/live-origins.ts';
import { liveRoutes } from './http/live.routes.ts';
import { logoRoutes } from './http/logos.routes.ts';
import { organiserRoutes } from './http/organiser.routes.ts';
import { pageRoutes } from './http/page.routes.ts';
import { paymentRoutes } from './http/payment.routes.ts';
import { createSheets } from './http/sheet.ts';

type Rate = { readonly perSecond: number; readonly burst: number };

export type WebParts = {
  readonly db: Db;
  readonly bus: Bus;
  readonly pages: Pages;
  readonly page: Omit<PageParts, 'writeMinimum' | 'writeTips'> & OwnPaymentParts;
  readonly organisers: OrganiserCalls;
  /** Undefined where the installation sends no mails. */
  readonly reminders: OrganiserReminders | undefined;
  readonly limits: StreamLimits;
  /** The rate of requests of one token, a page that polls included. */
  readonly pace: Rate;
  /** The rates at which a client's network, and a link, get session tokens. */
  readonly mints: { readonly byAddress: Rate; readonly byLink: Rate };
  /** The rate at which one organiser's link acts. */
  readonly organiserActs: Rate;
  readonly heartbeatMs?: number;
  readonly repairMs?: number;
};

const MOST_TOKENS = 20_000;

/** How often streams are compared with revocations: a revoked token's stream ends within a second, without the bus too. */
const REVOKED_MS = 400;

export type Web = {
  readonly routes: Route[];
  /** Ends the streams of revoked tokens. */
  readonly endRevoked: Loop;
  /** Ends the streams of organisers' links that were replaced, where no note came. */
  readonly endReplaced: Loop;
};

/** Returns every route of checkout that browsers use, and subscribes to what keeps the routes up to date. */
export function openWeb(parts: WebParts): Web {
  const { db, bus } = parts;
  const { writeMinimum, writeTips } = parts.pages;
  const page = { ...parts.page, writeMinimum, writeTips };
  const access = sessionAccess(db);
  const live = liveGroups(
    {
      find: (scope) => page.ledger.findGroup(scope),
      listen: (groupId, onChange) =>
        bus.listen(`${groupChanged.subject}.${groupId}`, ({ payload }) => {
          onChange(readVersion(payload));
          if (isOrganisersLinkReplaced(payload)) void streams.recheckLinks(groupId);
        }),
    },
    parts,
  );
  const streams = payerStreams({ ...parts, live });
  bus.listen(`${sessionEpochRaised.subject}.*`, ({ subject }) => {
    void streams.recheck(subject.slice(subject.lastIndexOf('.') + 1));
  });
  const recheckAll = (): void => {
    access.clearKeys();
    void streams.recheck();
  };
  bus.listen(`${signingKeysChanged.subject}.*`, recheckAll);
  bus.whenConnected(recheckAll);

  const perToken = (rate: Rate) => createPace({ ...rate, mostKeys: MOST_TOKENS });
  const paces = {
    byAddress: perToken(parts.mints.byAddress),
    byLink: perToken(parts.mints.byLink),
  };
  const admit = admitSession({ access, pace: perToken(parts.pace) });
  const sheets = createSheets({ pages: parts.pages, addresses: { home: page.home, api: page.api } });
  const findStatus = findPayment(page.ledger);
  const returns = payerReturns(db, findStatus);
  const isRegisteredByAnyone = (origin: string) => isOriginRegisteredByAnyone(db, origin);
  const origins = liveOrigins({
    isRegistered: (owner, origin) => isRegisteredOrigin(db, owner, origin),
    isRegisteredByAnyone,
  });
  const findSources = async (origin: string) =>
    (await findGatewaysOfOrigin(db, origin)).map(({ mode, psp_code }) =>
      listSources(page.addresses[mode][psp_code]),
    );
  const organiser = { ...page, calls: parts.organisers, reminders: parts.reminders };
  const routes = [
    ...pageRoutes({
      open: openPage(page),
      openFriends: openFriends(page),
      renew: renewPageSession(page),
      returns,
      sheets,
      paces,
    }),
    ...paymentRoutes({ links: mailLinks({ db, ...page }), sheets, pace: paces.byAddress }),
    ...embedRoutes({
      admit,
      sheets,
      openFrame: openFrame(page),
      returns,
      isRegisteredByAnyone,
      findSources,
      refuseForeign: refuseForeignOrigin(db),
    }),
    ...organiserRoutes({
      open: openOrganiserPage(organiser),
      read: organiserReader(organiser.calls),
      remind: remind(organiser),
      calls: organiser.calls,
      live,
      streams,
      sheets,
      home: page.home,
      paces: {
        byAddress: paces.byAddress,
        byLink: perToken(parts.mints.byLink),
        acts: perToken(parts.organiserActs),
      },
    }),
    ...liveRoutes({
      admit,
      origins,
      live,
      streams,
      findPayment: findStatus,
      hideName: hideName(page.ledger),
      isGood: access.isGood,
    }),
    ...assetRoutes(parts.pages.assets),
    ...logoRoutes((file) => findLogoContent(db, file)),
  ];
  return { routes, endRevoked: endRevokedStreams(db, streams), endReplaced: endReplacedLinks(streams) };
}

function endRevokedStreams(db: Db, streams: Pick<PayerStreams, 'endRevoked' | 'whenFirstOpens'>): Loop {
  return {
    name: 'end-revoked-streams',
    idleMs: REVOKED_MS,
    onWake: (wake) => streams.whenFirstOpens(() => wake(REVOKED_MS)),
    runOnce: async () =>
      (await streams.endRevoked((groupIds) => listEpochsOfGroups(db, groupIds))) ? 'idle' : 'empty',
  };
}

function isOrganisersLinkReplaced(payload: unknown): boolean {
  const isNote = typeof payload === 'object' && payload !== null && 'replaced_link' in payload;
  return isNote && payload.replaced_link === 'organiser';
}

/** Announcements are not validated; a payload without a version causes a look-up. */
function readVersion(payload: unknown): number {
  const isNote = typeof payload === 'object' && payload !== null && 'version' in payload;
  return isNote && typeof payload.version === 'number' ? payload.version : Infinity;
}
