import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { buildJobs, deliver, inBatches, type Job } from './delivery.ts';
import { serveWorks } from './work-server.ts';

// Deliveries by BullMQ: jobs added in batches, as many at once as graphile-worker has, and each completed job kept with
// the answer's status, which is the record of the attempt.
const AT_ONCE = 100;
const BATCH = 500;
const QUEUE = 'deliveries';
const connect = () => new Redis(process.env['REDIS_URL'] ?? '', { maxRetriesPerRequest: null });

let completed = 0;
let onCompleted = (): void => undefined;
const queue = new Queue<Job, number>(QUEUE, { connection: connect() });
const worker = new Worker<Job, number>(QUEUE, ({ data }) => deliver(data), {
  connection: connect(),
  concurrency: AT_ONCE,
});
// Emitted once Redis has the job as completed.
worker.on('completed', () => {
  completed += 1;
  onCompleted();
});
worker.on('error', (error) => process.stderr.write(`${error.message}\n`));
await worker.waitUntilReady();

serveWorks({
  async deliver(count) {
    const areDone = new Promise<void>((resolve) => {
      onCompleted = () => {
        if (completed === count) resolve();
      };
    });
    for (const jobs of inBatches(buildJobs(count), BATCH))
      await queue.addBulk(jobs.map((data) => ({ name: 'deliver', data })));
    await areDone;
  },
  async reset() {
    completed = 0;
    await queue.clean(0, 0, 'completed');
  },
});
