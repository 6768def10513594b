import { join } from 'node:path';
import { GroupPaymentsError } from '@group-payments/client';
import express, { type Express, type NextFunction, type Request, type Response } from '@gp/bundled/express';
import { HOUSES, isHouse, type Bookings } from './bookings.ts';
import { bookingPage, homePage, problemPage, thanksPage } from './pages.ts';
import { pinnedScript } from './pinned-script.ts';

/** The shop: choose a house, pay it together, see thanks. It stores nothing; a group payment is the booking. */
export function shopApp(o: { bookings: Bookings; widgetUrl: string }): Express {
  const { bookings, widgetUrl } = o;
  const pinned = pinnedScript(widgetUrl);
  const app = express().disable('x-powered-by');
  app.use(policy(new URL(widgetUrl).origin));
  app.use(express.static(join(import.meta.dirname, '../public')));

  app.get('/', (_request, response) => void response.send(homePage()));
  app.get('/readyz', (_request, response) => void response.sendStatus(200));

  app.post('/bookings', express.urlencoded({ extended: false }), async (request, response) => {
    const { house = '', friends, widget } = request.body as Record<string, string | undefined>;
    const count = Number(friends);
    if (!isHouse(house) || !Number.isInteger(count) || count < 1 || count > HOUSES[house].sleeps)
      return void response
        .status(400)
        .send(problemPage('Please choose a house, and as many friends as it sleeps.'));
    const id = await bookings.create(house, count);
    response.redirect(303, `/bookings/${id}${widget === 'plain' ? '?widget=plain' : ''}`);
  });

  app.get('/bookings/:id', async (request, response) => {
    const booking = await bookings.find(request.params.id);
    const isPlain = request.query['widget'] === 'plain';
    const script = isPlain ? await pinned() : { src: widgetUrl };
    response.send(bookingPage(booking, { isPlain, script }));
  });

  // The one endpoint the widget needs. A shop with accounts would check here that the visitor may see this booking.
  app.post('/bookings/:id/session', async (request, response) => {
    response.json(await bookings.session(request.params.id));
  });

  app.get('/thanks/:id', async (request, response) => {
    response.send(thanksPage(await bookings.find(request.params.id)));
  });

  app.use((_request: Request, response: Response) => {
    response.status(404).send(problemPage('There is no such page.'));
  });
  app.use((error: unknown, _request: Request, response: Response, _next: NextFunction) => {
    const isGone = error instanceof GroupPaymentsError && error.status < 500;
    const text = isGone ? 'There is no such booking.' : 'The booking desk does not answer. Please try again.';
    response.status(isGone ? 404 : 503).send(problemPage(text));
  });
  return app;
}

/** Returns the policy of what the pages may load: the shop's own files, and the widget. */
function policy(widget: string) {
  return (_request: Request, response: Response, next: NextFunction): void => {
    response.setHeader(
      'Content-Security-Policy',
      `default-src 'none'; script-src 'self' ${widget}; style-src 'self'; img-src 'self'; connect-src 'self'; frame-src ${widget}; base-uri 'none'; frame-ancestors 'none'`,
    );
    response.setHeader('X-Content-Type-Options', 'nosniff');
    response.setHeader('Referrer-Policy', 'same-origin');
    next();
  };
}
