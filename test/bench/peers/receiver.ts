import { createServer } from 'node:http';

// Endpoints of merchants in a process of their own, which answer at once and count what arrives. `GET /counts`
// returns the number of different deliveries and of repeats since `DELETE /counts`.
const arrivals = new Map<string, number>();

const server = createServer((request, response) => {
  if (request.url === '/counts') {
    if (request.method === 'DELETE') arrivals.clear();
    const all = arrivals.values().reduce((sum, times) => sum + times, 0);
    response.end(JSON.stringify({ different: arrivals.size, repeats: all - arrivals.size }));
    return;
  }
  request.resume();
  request.on('end', () => {
    const key = `${String(request.headers['service-event-id'])} ${request.url}`;
    arrivals.set(key, (arrivals.get(key) ?? 0) + 1);
    response.writeHead(204).end();
  });
});
server.listen(Number(process.env['PORT']), '127.0.0.1', () => process.stdout.write('ready\n'));
