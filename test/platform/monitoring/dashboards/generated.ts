import { join } from 'node:path';
import type { Generated } from '@gp/testing';
import { format } from 'prettier';
import { chart } from '../../processes.ts';
import { buildDashboard } from './grafana.ts';
import { bus } from './bus.ts';
import { gateways } from './gateways.ts';
import { payments } from './payments.ts';
import { services } from './services.ts';
import { webhooks } from './webhooks.ts';

export const boards = [payments, gateways, webhooks, bus, services] as const;

/** The dashboards as the chart carries them. */
export async function generated(): Promise<Generated> {
  const files: Record<string, string> = {};
  for (const board of boards)
    files[`${board.file}.json`] = await format(JSON.stringify(buildDashboard(board)), {
      parser: 'json',
      printWidth: 110,
    });
  return { folder: join(chart, 'dashboards'), files };
}
