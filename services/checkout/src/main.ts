import { openBus } from '@gp/bus';
import * as contracts from '@gp/contracts';
import { runService } from '@gp/service';
import { beginConfirmation } from './app/begin-confirmation.ts';
import { startPayment } from './app/start-payment.ts';
import { gatewaysOn, ledgerOn } from './bus/neighbours.ts';
import { config } from './config.ts';

await runService('checkout', config, async (service) => {
  const { config, log, name } = service;
  const bus = await service.use(openBus({ servers: config.natsUrl, name, log }));
  const ledger = ledgerOn(bus);
  service.serve(bus, contracts.startPayment, startPayment({ ledger, gateways: gatewaysOn(bus) }));
  service.serve(
    bus,
    contracts.beginConfirmation,
    beginConfirmation({ ledger, waitMs: config.confirmWaitMs }),
    {
      // Most of these only wait for another try to end.
      concurrency: 256,
    },
  );
});
