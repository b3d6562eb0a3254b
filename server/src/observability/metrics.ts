import { timingSafeEqual } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Gauge, Histogram, Registry } from 'prom-client';
import { countAlarms } from '../audit/audit-alarms.queries.ts';
import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import type { Database } from '../database/database.ts';
import { readInPlatform } from '../database/platform.ts';
import type { Job } from '../jobs/queue.ts';
import { listJobStates } from '../jobs/jobs.queries.ts';
import { countMails } from '../mail/outbox.queries.ts';
import { VERSION } from '../version.ts';
import { countWaitingHashes } from '../auth/password-hashing.ts';
import { eventCounts } from '../logging/event-counts.ts';

/** The metrics of the process, for Prometheus. */
export interface Metrics {
  /** Records the replies of an app and how long they took. */
  watch(app: FastifyInstance): void;
  /** Wraps a job so that its tries are counted. */
  timeJob(job: Job): Job;
  /** Answers `GET /metrics` on this app. */
  serve(app: FastifyInstance): void;
  /** Answers `GET /metrics`, and nothing else, on a port of its own. */
  listen(port: number, host: string): Promise<Server>;
}

const PREFIX = 'portal_';
const NOT_CACHED = { 'cache-control': 'no-store' };
/** Seconds. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Counts from the database, queried for each scrape; the same in every process. */
class SharedGauges {
  readonly #gauges: Record<string, Gauge>;
  readonly #database: Database;
  readonly #clock: Clock;

  constructor({ Gauge }: typeof import('prom-client'), registry: Registry, database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
    const gauge = (name: string, help: string, labelNames: string[] = []) =>
      new Gauge({ name: PREFIX + name, help, labelNames, registers: [registry] });
    this.#gauges = {
      up: gauge('database_up', '1 while the database answers'),
      waiting: gauge('jobs_waiting', 'Jobs that are due and not taken yet', ['job']),
      active: gauge('jobs_active', 'Jobs that are being carried out', ['job']),
      failed: gauge('jobs_failed', 'Jobs given up after all tries, of the last week', ['job']),
      late: gauge('jobs_late_seconds', 'Seconds by which the job that waits longest is late', ['job']),
      done: gauge('job_last_done_timestamp_seconds', 'When a scheduled job was last done', ['job']),
      mails: gauge('mails_waiting', 'Mails to be sent'),
      mailAge: gauge('mails_waiting_seconds', 'Seconds that the oldest mail to be sent has waited'),
      auditAlarms: gauge('audit_alarms', 'Schools whose audit log does not match its signature'),
      mailsBlamedOnUs: gauge(
        'mails_blamed_on_us',
        'Mails of the last day that were rejected or returned because of the sender',
      ),
      mailsGivenUp: gauge('mails_given_up', 'Mails that could not be sent, of the last 90 days'),
    };
  }

  /** While the database is unavailable, metrics are returned without these: that is when they are needed most. */
  async update(): Promise<void> {
    const { up, waiting, active, failed, late, done, mails, mailAge, mailsBlamedOnUs, mailsGivenUp, auditAlarms } =
      this.#gauges;
    for (const gauge of Object.values(this.#gauges)) gauge.reset();
    try {
      const { jobs, mail, alarms } = await readInPlatform(this.#database, async (db) => ({
        jobs: await listJobStates(db),
        mail: await countMails(db, this.#clock.now()),
        alarms: await countAlarms(db),
      }));
      for (const job of jobs) {
        const labels = { job: job.name };
        waiting?.set(labels, job.waiting);
        active?.set(labels, job.active);
        failed?.set(labels, job.failed);
        late?.set(labels, job.late_seconds);
        if (job.last_done_at) done?.set(labels, job.last_done_at.getTime() / 1000);
      }
      mails?.set(mail.waiting);
      mailAge?.set(mail.oldest_at ? (this.#clock.now().getTime() - mail.oldest_at.getTime()) / 1000 : 0);
      mailsGivenUp?.set(mail.given_up);
      mailsBlamedOnUs?.set(mail.blamed_on_us);
      auditAlarms?.set(alarms);
      up?.set(1);
    } catch {
      up?.set(0);
    }
  }
}

/** The connection pool of this process; the embedded database has none. */
function poolGauge({ Gauge }: typeof import('prom-client'), { engine, writes }: Database): Gauge | undefined {
  if (engine.kind !== 'server') return undefined;
  const { pool } = engine;
  return new Gauge({
    name: `${PREFIX}database_connections`,
    help: 'Connections to the database: open, idle among them, and requests that wait for one',
    labelNames: ['state'],
    registers: [],
    collect() {
      this.set({ state: 'open' }, pool.totalCount);
      this.set({ state: 'idle' }, pool.idleCount);
      // A write waits in a queue first: docs/decisions/round-trips-and-connections.md
      this.set({ state: 'waiting' }, pool.waitingCount + writes.waitingCount);
    },
  });
}

const isToken = (given: string | undefined, token: string): boolean => {
  const [expected, actual] = [`Bearer ${token}`, given ?? ''].map((text) => Buffer.from(text)) as [Buffer, Buffer];
  return expected.length === actual.length && timingSafeEqual(expected, actual);
};

/** Starts to measure; undefined where the settings ask for no metrics. */
export async function startMetrics(
  { metricsPort, metricsToken: token }: Config,
  database: Database,
  clock: Clock,
): Promise<Metrics | undefined> {
  if (metricsPort === undefined && token === undefined) return undefined;
  // Imported on demand: other processes start without it.
  const library = await import('prom-client');
  const registry = new library.Registry();
  library.collectDefaultMetrics({ register: registry });
  new library.Gauge({
    name: `${PREFIX}build_info`,
    help: 'Always 1; its label is the release',
    labelNames: ['version'],
    registers: [registry],
  }).set({ version: VERSION }, 1);
  const pool = poolGauge(library, database);
  if (pool) registry.registerMetric(pool);
  const shared = new SharedGauges(library, registry, database, clock);
  const histogram = (name: string, help: string, labelNames: string[]): Histogram =>
    new library.Histogram({ name: PREFIX + name, help, labelNames, buckets: BUCKETS, registers: [registry] });
  const answers = histogram('http_answer_seconds', 'Answers by route and status', ['route', 'status']);
  const tries = histogram('job_seconds', 'Tries of jobs in this process', ['job', 'outcome']);

  const events = new library.Counter({
    name: `${PREFIX}events_total`,
    help: 'Logins, rejected logins, reading sessions stored, mails sent, views of pupils’ records that could not be stored, and invitations rejected because the school has too many open or sent too many in a day',
    labelNames: ['event'],
    registers: [],
    collect() {
      this.reset();
      for (const [event, count] of Object.entries(eventCounts())) this.inc({ event }, count);
    },
  });
  registry.registerMetric(events);
  const hashes = new library.Gauge({
    name: `${PREFIX}password_hashes_waiting`,
    help: 'Passwords that wait to be hashed or verified in this process',
    registers: [],
    collect() {
      this.set(countWaitingHashes());
    },
  });
  registry.registerMetric(hashes);

  const read = async () => {
    await shared.update();
    return registry.metrics();
  };
  const mayRead = (authorization: string | undefined) => token === undefined || isToken(authorization, token);
  return {
    watch(app) {
      app.addHook('onResponse', async (request, reply) => {
        // The route's pattern: their number is limited, while a URL may contain a name.
        const route = `${request.method} ${request.routeOptions.url ?? 'none'}`;
        answers.observe({ route, status: reply.statusCode }, reply.elapsedTime / 1000);
      });
    },
    timeJob: (job) => ({
      ...job,
      async run(data, signal) {
        const end = tries.startTimer({ job: job.name });
        try {
          await job.run(data, signal);
        } catch (error) {
          end({ outcome: 'failed' });
          throw error;
        }
        end({ outcome: 'done' });
      },
    }),
    serve(app) {
      app.get('/metrics', async ({ headers }, reply) => {
        if (!mayRead(headers.authorization)) return reply.status(401).send();
        return reply.type(registry.contentType).send(await read());
      });
    },
    async listen(port, host) {
      const server = createServer((request, response) => {
        const isScrape = request.method === 'GET' && request.url === '/metrics';
        if (!isScrape || !mayRead(request.headers.authorization))
          return void response.writeHead(isScrape ? 401 : 404, NOT_CACHED).end();
        void read().then(
          (text) => response.writeHead(200, { ...NOT_CACHED, 'content-type': registry.contentType }).end(text),
          () => response.writeHead(500, NOT_CACHED).end(),
        );
      });
      await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve));
      return server;
    },
  };
}
