import { openBus } from '@gp/bus';
import * as contracts from '@gp/contracts';
import { runService } from '@gp/service';
import { beginConfirmation } from './app/begin-confirmation.ts';
import { startPayment } from './app/start-payment.ts';
import { gatewaysOn, ledgerOn } from './bus/neighbours.ts';
import { config } from './config.ts';

/** Most of them only wait for another try to end. */
const CONFIRMATIONS = 256;

await runService('checkout', config, async (service) => {
  const { config, log, name } = service;
  const bus = await service.use(openBus({ servers: config.natsUrl, name, log }));
  const ledger = ledgerOn(bus);
  service.serve(bus, contracts.startPayment, startPayment({ ledger, gateways: gatewaysOn(bus) }));
  const confirm = beginConfirmation({ ledger, waitMs: config.confirmWaitMs });
  service.serve(bus, contracts.beginConfirmation, confirm, { concurrency: CONFIRMATIONS });
});
