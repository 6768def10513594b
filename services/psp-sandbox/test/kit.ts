/** Exports for the tests of a gateway's sandbox part: the running sandbox, its control side, and a receiver of callbacks. */
export { startReceiver, type Receiver } from './receiver.ts';
export { startSandbox, type Sandbox } from './sandbox.ts';
export { call, openTester, type Answer, type Page, type Tester } from './tester.ts';
