import type { FastifyInstance } from 'fastify';
import { backupJob } from './backups/backup.jobs.ts';
import { restoreTestJob } from './backups/restore-test.jobs.ts';
import { offSiteJob } from './backups/off-site.jobs.ts';
import { lastNumbersJob } from './backups/last-numbers.ts';
import { embeddedUpkeepJobs } from './database/embedded-upkeep.jobs.ts';
import { backUpOriginals } from './features/books/book-content/book-content.public.ts';
import { accessFeature } from './features/accounts/access/access.feature.ts';
import { accountFeature } from './features/privacy/erasure/own-account.feature.ts';
import { archiveFeature } from './features/school/archive/archive.feature.ts';
import { billingConsoleFeature } from './features/billing/billing-console/billing-console.feature.ts';
import { bookContentFeature } from './features/books/book-content/book-content.feature.ts';
import { booksFeature } from './features/books/books/books.feature.ts';
import { cardPaymentsFeature } from './features/billing/card-payments/card-payments.feature.ts';
import { classReadingFeature } from './features/reading/class-reading/class-reading.feature.ts';
import { classesFeature } from './features/school/classes/classes.feature.ts';
import { dashboardFeature } from './features/reading/dashboard/dashboard.feature.ts';
import { devicesFeature } from './features/accounts/devices/devices.feature.ts';
import { exportsFeature } from './features/records/exports/exports.feature.ts';
import { hardWordsFeature } from './features/reading/hard-words/hard-words.feature.ts';
import { helpFeature } from './features/help/help/help.feature.ts';
import { invoicesFeature } from './features/billing/invoices/invoices.feature.ts';
import { loginCardsFeature } from './features/school/login-cards/login-cards.feature.ts';
import { operatorsFeature } from './features/company/operators/operators.feature.ts';
import { privacyFeature } from './features/privacy/retention/privacy.feature.ts';
import { pupilImportFeature } from './features/records/pupil-import/pupil-import.feature.ts';
import { pupilProgressFeature } from './features/reading/pupil-progress/pupil-progress.feature.ts';
import { pupilsFeature } from './features/school/pupils/pupils.feature.ts';
import { readingFeature } from './features/reading/reading/reading.feature.ts';
import { readingAppFeature } from './features/reading/reading-app/reading-app.feature.ts';
import { readingNeedsFeature } from './features/reading/reading-needs/reading-needs.feature.ts';
import { schoolClosingFeature } from './features/privacy/school-closing/school-closing.feature.ts';
import { schoolFeature } from './features/school/school/school.feature.ts';
import { secondFactorFeature } from './features/accounts/second-factor/second-factor.feature.ts';
import { signInProvidersFeature } from './features/accounts/sign-in-providers/sign-in-providers.feature.ts';
import { subscriptionsFeature } from './features/billing/subscriptions/subscriptions.feature.ts';
import { subjectAccessFeature } from './features/privacy/subject-access/subject-access.feature.ts';
import { supportAccessFeature } from './features/company/operators/support-access.feature.ts';
import { teachersFeature } from './features/school/teachers/teachers.feature.ts';
import { rosterFeature } from './features/records/school-records/roster.feature.ts';
import { yearEndFeature } from './features/records/year-end/year-end.feature.ts';
import type { Feature } from './feature.ts';
import { auditHeadsJob, auditPruningJob, auditSealingJob, type WriteLog } from './audit/audit-chain.jobs.ts';
import { auditNamesJob } from './audit/audit-names.jobs.ts';
import { type Handlers, type Services, serveRoutes } from './http/pipeline.ts';
import { apiDocsPage } from './pages/api-docs.ts';
import { compressReplies } from './http/compression.ts';
import { createServer } from './http/server.ts';
import { serveLogOut } from './pages/log-out.ts';
import { serveLiveness, systemHandlers } from './http/system.routes.ts';
import { buildLinkErrorPage, serveWeb } from './pages/static-files.ts';
import type { WebApp } from './pages/web-app.ts';
import type { Job } from './jobs/queue.ts';
import { type Deliver, mailJobs } from './mail/mail.ts';
import { loadTopLevelDomains } from './top-level-domains.ts';

/** The only list of all features. */
const features = [
  accessFeature,
  accountFeature,
  devicesFeature,
  operatorsFeature,
  schoolFeature,
  subjectAccessFeature,
  schoolClosingFeature,
  supportAccessFeature,
  teachersFeature,
  classesFeature,
  pupilImportFeature,
  loginCardsFeature,
  exportsFeature,
  pupilsFeature,
  archiveFeature,
  privacyFeature,
  yearEndFeature,
  rosterFeature,
  booksFeature,
  readingNeedsFeature,
  classReadingFeature,
  hardWordsFeature,
  pupilProgressFeature,
  readingFeature,
  dashboardFeature,
  readingAppFeature,
  helpFeature,
  secondFactorFeature,
  signInProvidersFeature,
  subscriptionsFeature,
  invoicesFeature,
  cardPaymentsFeature,
  billingConsoleFeature,
  bookContentFeature,
] as const;

type NamesOf<F> = F extends Feature<infer Name> ? Name : never;

/** The handler of every call. A call that no feature handles does not compile. */
export const handlers: Handlers = Object.assign(
  { ...systemHandlers },
  ...features.map((feature) => feature.handlers),
) as Pick<Handlers, NamesOf<(typeof features)[number]> | keyof typeof systemHandlers>;

/**
 * All background jobs.
 * @param log receives what jobs write to the log
 */
export const listJobs = (services: Services, deliver: Deliver, log: WriteLog = () => undefined): Job[] => [
  ...mailJobs(services.database, deliver, services.clock),
  ...embeddedUpkeepJobs(services.database),
  auditSealingJob(services),
  auditNamesJob(services),
  auditPruningJob(services),
  auditHeadsJob(services, log),
  ...features.flatMap((feature) => feature.jobs?.(services) ?? []),
  ...(services.config.backupDir
    ? [
        backupJob(
          services,
          services.config.backupDir,
          (folder) => backUpOriginals(services.config.dataDir, folder),
          log,
        ),
        offSiteJob(services, services.config.backupDir, log),
        lastNumbersJob(services, services.config.backupDir),
      ]
    : []),
  ...(services.config.backupDir && services.config.databaseUrl && services.config.hasRestoreTest
    ? [
        restoreTestJob(
          services,
          services.config.backupDir,
          (folder) => backUpOriginals(services.config.dataDir, folder),
          log,
        ),
      ]
    : []),
];

/**
 * Builds the app with every call, and the web app if given. It does not listen yet.
 * @param watch receives the app before it has routes, so that its hooks apply to all of them
 */
export async function createApp(
  services: Services,
  web?: WebApp,
  watch: (app: FastifyInstance) => void = () => undefined,
): Promise<FastifyInstance> {
  loadTopLevelDomains();
  const app = await createServer(services.config, web?.scriptHashes ?? []);
  watch(app);
  await compressReplies(app);
  const logOut = serveLogOut(app, services.config);
  serveRoutes(app, handlers, services, services.config.stage !== 'production', web && buildLinkErrorPage(web));
  let reference: string | undefined;
  app.get('/v1/docs', (_request, reply) => {
    reference ??= apiDocsPage(services.config.productName);
    return reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache').send(reference);
  });
  serveLiveness(app);
  for (const feature of features) await feature.serve?.(app, services);
  await serveWeb(app, web, logOut, services);
  return app;
}
