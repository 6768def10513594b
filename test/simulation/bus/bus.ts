import type { BatchHandler, Bus, CallContext, CallOptions, Closable } from '@gp/bus';
import type { BatchContract, Operator, RpcContract } from '@gp/contracts';
import { AppError } from '@gp/errors';
import type { Process } from '../world/process.ts';
import type { Broker } from './broker.ts';
import type { Calls } from './calls.ts';

const closable: Closable = { close: () => Promise.resolve() };
/** Who gives the operators' commands: signatures are not simulated. */
const operator: Operator = { name: 'operator', key: `O${'A'.repeat(55)}`, role: 'admin' };
const notSimulated = (): never => {
  throw new Error('the simulated bus does not have this');
};

/** The bus as one process sees it. */
export function connectBus(process: Process, broker: Broker, calls: Calls): Bus {
  return {
    call: <Req, Res>(contract: RpcContract<Req, Res>, request: Req, o?: CallOptions) =>
      calls.call(process, contract, request, o) as Promise<Res>,
    coalesce:
      <Cmd, Res>(contract: BatchContract<Cmd, Res>) =>
      (command: Cmd, o?: { deadline?: number }) =>
        calls.call(process, contract, command, o) as Promise<Res>,
    serve<Req, Res>(
      contract: RpcContract<Req, Res>,
      handler: (request: Req, context: CallContext) => Promise<Res>,
    ) {
      calls.serve(process, contract.subject, (request, context) =>
        handler(request as Req, contract.operator ? { ...context, operator } : context),
      );
      return closable;
    },
    serveBatch<Cmd, Res>(contract: BatchContract<Cmd, Res>, handler: BatchHandler<Cmd, Res>) {
      calls.serve(process, contract.subject, async (command, { deadline }) => {
        const [verdict] = await handler([{ command: command as Cmd, deadline }]);
        if (verdict instanceof AppError) throw verdict;
        return verdict;
      });
      return closable;
    },
    publish: (message) => broker.publish(process, message),
    ensureStreams: () => Promise.resolve(),
    consume(options) {
      broker.consume(process, options);
      return closable;
    },
    listen: () => closable,
    listenTo: () => closable,
    whenConnected: () => closable,
    announce: () => undefined,
    hasStreams: () => Promise.resolve(true),
    identifyStreams: () => Promise.resolve(broker.streams),
    published: notSimulated,
    hasConsumed: notSimulated,
    redeliver: notSimulated,
    lags: notSimulated,
    isConnected: () => !process.isDead,
    close: () => Promise.resolve(),
  };
}
