import { openClient } from '@group-payments/client';
import { bookings } from './bookings.ts';
import { shopApp } from './shop.ts';

/** The shop's configuration. The secret key stays here, on the server; browsers get session tokens. */
const { PORT = '8083', API_URL, WIDGET_URL, SECRET_KEY } = process.env;
if (!API_URL || !WIDGET_URL || !SECRET_KEY) {
  process.stderr.write('API_URL, WIDGET_URL and SECRET_KEY are required\n');
  process.exit(78);
}

const client = openClient({ baseUrl: API_URL, key: SECRET_KEY });
const server = shopApp({ bookings: bookings(client), widgetUrl: WIDGET_URL }).listen(
  Number(PORT),
  '127.0.0.1',
);
process.on('SIGTERM', () => {
  server.close();
  server.closeAllConnections();
});
