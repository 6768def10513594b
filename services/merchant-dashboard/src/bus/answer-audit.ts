import { fitting, type Bus } from '@gp/bus';
import * as contracts from '@gp/contracts';
import type { RpcContract } from '@gp/contracts';
import type { Db } from '@gp/pg';
import { listAuditHeads, listAuditLinks } from '../db/audit-chain.ts';

/** The part of the service frame that is needed here. */
type Serving = {
  serve<Req, Res>(bus: Bus, contract: RpcContract<Req, Res>, handler: (request: Req) => Promise<Res>): void;
};

/** Serves the audit chain to the operator's command line, which verifies and exports it. */
export function answerAudit(service: Serving, bus: Bus, db: Db): void {
  service.serve(bus, contracts.listAuditHeads, async (request) => ({
    heads: await listAuditHeads(db, request),
  }));
  service.serve(bus, contracts.listAuditLinks, async (request) => ({
    links: fitting(await listAuditLinks(db, request)),
  }));
}
