import { join } from 'node:path';
import { loadCatalogue } from './features/catalogue/catalogue.public.ts';
import { createApp, listJobs } from './app.ts';
import { systemClock } from './clock.ts';
import { readConfig } from './config.ts';
import { deleteStalePartials } from './database/backup/backup.ts';
import { serveBackups } from './database/backup/backup-socket.ts';
import { prepareDatabase } from './database/database.ts';
import { openDatabase } from './database/open-database.ts';
import type { Services } from './http/pipeline.ts';
import { loadWebApp } from './http/web-app.ts';
import { openQueue } from './jobs/queue.ts';
import { startMetrics } from './observability/metrics.ts';
import { deliverBySmtp, deliverToFolder } from './mail/mail.ts';

/** After the signal to stop, in milliseconds: requests in flight are cut, and the process is gone. */
const CUT_AFTER_MS = 5000;
const STOPPED_AFTER_MS = 9500;

const say = (line: string) => process.stdout.write(`${line}\n`);

async function start(): Promise<void> {
  const config = readConfig(process.env);
  say(config.databaseUrl ? 'Connecting to the database …' : `Opening the database in ${config.dataDir} …`);
  const tracing = config.isTraced
    ? (await import('./observability/tracing.ts')).startTracing(config.productName)
    : undefined;
  const { database, release } = await openDatabase(
    config,
    () => say('The database went away; requests wait for it.'),
    () => say('Another process has the data folder; waiting for its end …'),
    tracing?.noteStatement,
  );
  const services: Services = { config, database, clock: systemClock };
  const from = `${config.productName} <no-reply@${new URL(config.publicUrl).hostname}>`;
  const deliver = config.smtpUrl
    ? deliverBySmtp(config.smtpUrl, from)
    : deliverToFolder(join(config.dataDir, 'outbox'), from);
  const metrics = await startMetrics(config, database, systemClock);
  const app = await createApp(services, await loadWebApp(config), (created) => {
    tracing?.watch(created);
    metrics?.watch(created);
    if (config.metricsPort === undefined) metrics?.serve(created);
  });
  const jobs = listJobs(services, deliver)
    .map((job) => tracing?.traced(job) ?? job)
    .map((job) => metrics?.timed(job) ?? job);
  const { queue, logins } = await prepareDatabase(database, async () => {
    const opened = await openQueue(
      database,
      jobs,
      (error) => app.log.error({ type: error.name }, 'job queue'),
      ({ name, id, requestId, error }) =>
        app.log.error({ job: name, jobId: id, reqId: requestId, err: error }, 'job failed'),
    );
    await loadCatalogue(database, services.clock.now());
    if (!config.demo) return { queue: opened, logins: [] };
    // Loaded where it is asked for: a real installation runs without the seeds.
    const { loadDemo } = await import('#seeds/demo.ts');
    return { queue: opened, logins: await loadDemo(services, say) };
  });
  await queue.work();
  if (config.backupDir) await deleteStalePartials(config.backupDir, systemClock.now());
  const stopBackups = config.databaseUrl ? undefined : await serveBackups(config.dataDir, database, systemClock);
  await app.listen({ port: config.port, host: '0.0.0.0' });
  const metricsServer = config.metricsPort === undefined ? undefined : await metrics?.listen(config.metricsPort);

  const address = app.server.address();
  const port = typeof address === 'object' && address ? address.port : config.port;
  say(`\n  ${config.productName} is at ${config.publicUrl.replace(/:0$/, `:${port}`)}  (API reference: /v1/docs)`);
  if (config.stage === 'production' && !config.demo && !config.seller.bankAccount && !config.stripe)
    app.log.warn('Invoices cannot be paid: set BANK_ACCOUNT, or the STRIPE_ settings for payment by card.');
  for (const login of logins) say(`  ${login}`);
  say('');

  let stopping = false;
  const stop = async () => {
    if (stopping) return;
    stopping = true;
    say('Stopping: finishing what is in flight …');
    // Whatever clients do: first their connections are cut, then the process ends. What it left is taken up again.
    setTimeout(() => app.server.closeAllConnections(), CUT_AFTER_MS).unref();
    setTimeout(() => process.exit(1), STOPPED_AFTER_MS).unref();
    metricsServer?.close();
    await app.close();
    await queue.stop();
    await tracing?.stop();
    await stopBackups?.();
    await database.close();
    await release();
    process.exit(0);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

start().catch((error: Error) => {
  process.stderr.write(`\n${error.message}\n`);
  process.exit(1);
});
