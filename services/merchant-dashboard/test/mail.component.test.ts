import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventually, freePort, openMailServer } from '@gp/testing';
import { password } from './support/dashboard.ts';
import { openService, sendOnceUp, type Service } from './support/service.ts';

let service: Service;
beforeAll(async () => {
  service = await openService();
  // It would deliver mail to its own folder.
  await service.steady.stop();
});
afterAll(() => service?.close());

it('a sign-up is finished by a mail that a mail server gets, although it was away and the process was killed', async () => {
  const port = await freePort();
  const server = {
    MAIL_URL: `smtp://127.0.0.1:${port}`,
    MAIL_FROM: 'no-reply@platform.example',
    MAIL_TLS: 'offered',
  };
  const email = 'leo@merchants.example';
  const first = service.launch(server);
  const body = { merchant_name: 'Casa Leo', email, password };
  expect((await sendOnceUp(await first.port, 'POST', '/api/signup', { body })).status).toBe(202);
  await eventually(() => first.output().includes('a mail was not accepted') || undefined);
  await first.stop('SIGKILL');
  const mails = await openMailServer({ port, disabledCommands: ['STARTTLS'] });
  try {
    await service.db.pool.query('update mails set due_at = clock_timestamp()');
    const second = service.launch(server);
    const received = await eventually(() => mails.received[0]);
    expect(received.envelope.to).toEqual([email]);
    const token = /#token=([\w-]+)/.exec(received.mail.text ?? '')?.[1];
    const reply = await sendOnceUp(await second.port, 'POST', '/api/signup/confirm', { body: { token } });
    expect(reply.status).toBe(201);
  } finally {
    await mails.close();
  }
  expect(mails.received).toHaveLength(1);
});
