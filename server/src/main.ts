import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { loadCatalogue } from './features/books/catalogue/catalogue.public.ts';
import { createApp, listJobs } from './app.ts';
import { fingerprintsOf } from './auth/secrets-key.ts';
import { sealAuditLogs } from './audit/audit-chain.jobs.ts';
import { systemClock } from './clock.ts';
import { checkValues, findCauseOfFailedStart, missingKeyIssue } from './check-settings.ts';
import { type Config, formatIssues } from './config.ts';
import { deleteStalePartials } from './backups/backup.ts';
import { assertNotRestored, recordLastNumbers, watchGeneration } from './backups/last-numbers.ts';
import { dropLeftScratch } from './backups/restore-test.ts';
import { readMark } from './backups/named-databases.ts';
import { prepareDatabase } from './database/database.ts';
import { explainEmbeddedFailure } from './database/embedded.ts';
import { openDatabase } from './database/open-database.ts';
import { admitKeys } from './database/secret-keys.ts';
import type { Services } from './context.ts';
import { acceptWaitingConnections } from './http/draining.ts';
import { MARK_INTERVAL_MS, shareAssets } from './pages/recent-assets.ts';
import { createProxyCheck } from './http/trusted-proxy.ts';
import { loadWebApp } from './pages/web-app.ts';
import { openQueue } from './jobs/queue.ts';
import { recordLocalUrl, removeLocalUrl } from './local-url.ts';
import { startMetrics } from './observability/metrics.ts';
import { deliverBySmtp, deliverToFolder } from './mail/mail.ts';
import { checkDatabase } from './setting-checks/check-database.ts';
import { findMailServerError } from './setting-checks/check-mail-server.ts';
import { findPortErrors } from './setting-checks/check-machine.ts';
import type { SettingIssue } from './settings.ts';
import { VERSION } from './version.ts';
import { reportToSystemd } from './watchdog.ts';

/** Time after the port is closed until open connections are closed, and until the process exits. */
const CLOSE_CONNECTIONS_AFTER_MS = 5000;
const EXIT_AFTER_MS = 9500;
/** Time for sealing the audit logs. */
const SEAL_AT_START_MS = 60_000;
const SEAL_AT_STOP_MS = 1500;

const say = (line: string) => process.stdout.write(`${line}\n`);

/** Throws an Error that names each wrong setting. */
function readValidConfig(): { config: Config; warnings: SettingIssue[] } {
  const { config, errors, warnings } = checkValues(process.env, systemClock.now());
  if (!config || errors.length > 0) throw new Error(`Invalid settings:\n${formatIssues(errors)}`);
  return { config, warnings };
}

/** The address for other processes of this machine; `PUBLIC_URL` may lead through a proxy. */
const formatLocalUrl = (host: string, port: number): string =>
  `http://${['127.0.0.1', '0.0.0.0', '::', '::1'].includes(host) ? 'localhost' : host}:${port}`;

/** Checks ports and database before any work is done there. Returns warnings. */
async function checkPortsAndDatabase(config: Config): Promise<SettingIssue[]> {
  const portErrors = await findPortErrors(config);
  const { errors, warnings } =
    portErrors.length > 0 ? { errors: portErrors, warnings: [] } : await checkDatabase(config, { withKeys: false });
  if (errors.length > 0) throw new Error(formatIssues(errors).trim());
  return warnings;
}

async function start(config: Config, warnings: SettingIssue[]): Promise<void> {
  say(config.databaseUrl ? 'Connecting to the database …' : `Opening the database in ${config.dataDir} …`);
  const tracing = config.isTraced
    ? (await import('./observability/tracing.ts')).startTracing(config.productName, createProxyCheck(config))
    : undefined;
  const { database, release } = await openDatabase(
    config,
    () => say('The database is unavailable; requests wait for it.'),
    () => say('Another process is using the data folder; waiting for it to stop …'),
    tracing?.recordStatement,
    async () => void warnings.push(...(await checkPortsAndDatabase(config))),
  );
  const services: Services = { config, database, clock: systemClock };
  const sender = {
    // In quotes, because a comma in the name would begin another address.
    from: `"${config.productName.replace(/["\\]/g, '')}" <no-reply@${new URL(config.publicUrl).hostname}>`,
    returnAddress: config.bounces?.address,
  };
  const deliver = config.smtpUrl
    ? deliverBySmtp(config.smtpUrl, sender)
    : deliverToFolder(join(config.dataDir, 'outbox'), sender);
  const metrics = await startMetrics(config, database, systemClock);
  const web = await loadWebApp(config);
  const app = await createApp(services, web, (created) => {
    tracing?.watch(created);
    metrics?.watch(created);
    if (config.metricsPort === undefined) metrics?.serve(created);
  });
  const jobs = listJobs(services, deliver, (fields, message) => app.log.info(fields, message))
    .map((job) => tracing?.traceJob(job) ?? job)
    .map((job) => metrics?.timeJob(job) ?? job);
  const { queue, logins, missingKeys, isCopy } = await prepareDatabase(
    database,
    async () => {
      await assertNotRestored(database, config.backupDir);
      const isMarked = (await readMark(database)) === 'copy';
      const missing = await admitKeys(database, fingerprintsOf(config), services.clock.now());
      const opened = await openQueue(database, jobs, (error) => app.log.error({ type: error.name }, 'job queue'), {
        onFailure: ({ name, id, requestId, error }) =>
          app.log.error({ job: name, jobId: id, reqId: requestId, err: error }, 'job failed'),
        followsClock: !isMarked,
      });
      await loadCatalogue(database, services.clock.now());
      if (!config.demo) return { queue: opened, logins: [], missingKeys: missing, isCopy: isMarked };
      // Imported on demand: a real installation runs without the seeds.
      const { loadDemo } = await import('#seeds/demo.ts');
      return { queue: opened, logins: await loadDemo(services, say), missingKeys: missing, isCopy: isMarked };
    },
    say,
  );
  /** Seals what was written before a start or stop. What does not fit into the time waits for the job. */
  const sealWithin = (ms: number) =>
    Promise.race([sealAuditLogs(services, AbortSignal.timeout(ms)), wait(ms, undefined, { ref: false })]).catch(
      (error: Error) => app.log.warn({ type: error.name }, 'audit logs are sealed later'),
    );
  if (isCopy) say('The database is a copy beside the live portal: no jobs run and no emails are sent.');
  else await queue.work();
  if (config.databaseUrl && !isCopy)
    void dropLeftScratch(database).catch((error: Error) =>
      app.log.warn({ type: error.name }, 'scratch database not dropped'),
    );
  if (config.backupDir && !isCopy) {
    await deleteStalePartials(config.backupDir, systemClock.now());
    // A full disk does not stop the portal; the job of the same name repeats this.
    await recordLastNumbers(database, config.backupDir, systemClock.now()).catch((error: unknown) =>
      app.log.error({ err: error }, 'last numbers not recorded'),
    );
  }
  void sealWithin(SEAL_AT_START_MS);
  if (web) {
    // A full disk does not stop the portal: only an upgrade needs these copies.
    const share = () =>
      shareAssets(web.folder, config.dataDir, systemClock.now()).catch((error: unknown) =>
        app.log.error({ err: error }, 'assets not copied'),
      );
    await share();
    setInterval(share, MARK_INTERVAL_MS).unref();
  }
  await app.listen({ port: config.port, host: config.host });
  const metricsServer =
    config.metricsPort === undefined ? undefined : await metrics?.listen(config.metricsPort, config.metricsHost);

  const address = app.server.address();
  const port = typeof address === 'object' && address ? address.port : config.port;
  const publicUrl = config.publicUrl.replace(/:0$/, `:${port}`);
  const localUrl = formatLocalUrl(config.host, port);
  recordLocalUrl(config.dataDir, localUrl);
  const reportStop = reportToSystemd(process.env, localUrl, (error) => app.log.warn({ err: error }, 'watchdog'));
  say(`\n  ${config.productName} ${VERSION} is at ${publicUrl}  (API reference: /v1/docs)`);
  app.log.info({ version: VERSION, node: process.version }, 'started');
  const warn = ({ setting, text }: SettingIssue) => app.log.warn({ setting }, `${setting} ${text}`);
  [...warnings, ...missingKeys.map(missingKeyIssue)].forEach(warn);
  void findMailServerError(config.smtpUrl).then((issues) => issues.forEach(warn));
  for (const login of logins) say(`  ${login}`.trimEnd());
  say('');

  let drain: AbortController | undefined;
  /** Stops the process. A second call ends the wait of the first. */
  const stop = async (exitCode: number, drainMs: number) => {
    if (drain) return drain.abort();
    drain = new AbortController();
    removeLocalUrl(config.dataDir, localUrl);
    reportStop();
    say('Stopping: finishing requests in progress …');
    app.startDraining();
    // At once, so that other processes have its jobs while this one still serves.
    queue.endWork().catch((error: Error) => app.log.warn({ type: error.name }, 'jobs end later'));
    if (drainMs > 0) await wait(drainMs, undefined, { signal: drain.signal }).catch(() => undefined);
    stopWatching?.();
    // Clients cannot delay the exit: their connections are closed, then the process ends. Other processes run its jobs
    // again.
    setTimeout(() => app.server.closeAllConnections(), CLOSE_CONNECTIONS_AFTER_MS).unref();
    setTimeout(() => process.exit(1), EXIT_AFTER_MS).unref();
    metricsServer?.close();
    await acceptWaitingConnections(app.server);
    await app.close();
    await queue.stop();
    await sealWithin(SEAL_AT_STOP_MS);
    await tracing?.stop();
    await database.close();
    await release();
    process.exit(exitCode);
  };
  const endRestored = ({ message }: Error) => {
    process.stderr.write(`\n${message}\n`);
    void stop(1, 0);
  };
  // The embedded database cannot be replaced while a process has its folder.
  const stopWatching = config.databaseUrl ? watchGeneration(database, endRestored) : undefined;
  process.on('SIGTERM', () => void stop(0, config.drainMs));
  process.on('SIGINT', () => void stop(0, 0));
}

function fail(error: Error): never {
  process.stderr.write(`\n${error.message}\n`);
  process.exit(1);
}

try {
  const { config, warnings } = readValidConfig();
  await start(config, warnings).catch((error: Error) => {
    const cause = findCauseOfFailedStart(error, config);
    if (cause) throw new Error(formatIssues([cause]).trim(), { cause: error });
    throw (config.databaseUrl ? undefined : explainEmbeddedFailure(error, config.dataDir)) ?? error;
  });
} catch (error) {
  fail(error as Error);
}
