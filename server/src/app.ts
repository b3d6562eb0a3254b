import type { FastifyInstance } from 'fastify';
import { bounceMailboxJob } from './mail/bounce-mailbox.ts';
import { backupJob } from './backups/backup.jobs.ts';
import { restoreTestJob } from './backups/restore-test.jobs.ts';
import { offSiteJob } from './backups/off-site.jobs.ts';
import { lastNumbersJob } from './backups/last-numbers.ts';
import { embeddedUpkeepJobs } from './database/embedded.ts';
import { backUpOriginals } from './features/books/book-content/book-content.public.ts';
import { accessFeature } from './features/accounts/access/access.feature.ts';
import { bookContentFeature } from './features/books/book-content/book-content.feature.ts';
import { cardPaymentsFeature } from './features/billing/card-payments/card-payments.feature.ts';
import { invoicesFeature } from './features/billing/invoices/invoices.feature.ts';
import { loginCardsFeature } from './features/school/login-cards/login-cards.feature.ts';
import { erasureFeature } from './features/privacy/erasure/erasure.feature.ts';
import { dataAndPrivacyHandlers } from './features/privacy/data-and-privacy/data-and-privacy.routes.ts';
import { recordViewHandlers } from './features/privacy/record-views/record-views.routes.ts';
import { retentionFeature } from './features/privacy/retention/retention.feature.ts';
import { weeklyDigestFeature } from './features/reading/weekly-digest/weekly-digest.feature.ts';
import { schoolClosingFeature } from './features/privacy/school-closing/school-closing.feature.ts';
import { membershipHandlers } from './features/accounts/memberships/memberships.routes.ts';
import { secondFactorFeature } from './features/accounts/second-factor/second-factor.feature.ts';
import { signInProvidersFeature } from './features/accounts/sign-in-providers/sign-in-providers.feature.ts';
import { subjectAccessFeature } from './features/privacy/subject-access/subject-access.feature.ts';
import { schoolRecordsFeature } from './features/records/school-records/school-records.feature.ts';
import { classReadingHandlers } from './features/reading/class-reading/class-reading.routes.ts';
import { pupilProgressHandlers } from './features/reading/pupil-progress/pupil-progress.routes.ts';
import { pupilSessionHandlers } from './features/reading/pupil-progress/pupil-sessions.routes.ts';
import { lowestFifthHandlers } from './features/reading/lowest-fifth/lowest-fifth.routes.ts';
import { readingNeedsHandlers } from './features/reading/reading-needs/reading-needs.routes.ts';
import { hardWordHandlers } from './features/reading/hard-words/hard-words.routes.ts';
import { readingAppHandlers } from './features/reading/reading-app/reading-app.routes.ts';
import { readingFeedHandlers } from './features/reading/reading-feed/reading-feed.routes.ts';
import { dashboardHandlers } from './features/reading/dashboard/dashboard.routes.ts';
import { pupilImportHandlers } from './features/records/pupil-import/pupil-import.routes.ts';
import { exportHandlers } from './features/records/exports/exports.routes.ts';
import { runHandlers } from './features/records/runs/runs.routes.ts';
import { yearEndHandlers } from './features/records/year-end/year-end.routes.ts';
import { tabletsFeature } from './features/school/tablets/tablets.feature.ts';
import { coversFeature } from './features/school/covers/covers.feature.ts';
import { programsFeature } from './features/school/programs/programs.feature.ts';
import { successionFeature } from './features/school/succession/succession.feature.ts';
import { schoolHandlers } from './features/school/school/school.routes.ts';
import { termDateHandlers } from './features/school/school/term-dates.routes.ts';
import { classHandlers } from './features/school/classes/classes.routes.ts';
import { deletedClassHandlers } from './features/school/classes/deleted-classes.routes.ts';
import { classMembershipHandlers } from './features/school/pupils/class-membership.routes.ts';
import { pupilAssistantHandlers } from './features/school/pupils/pupil-assistants.routes.ts';
import { pupilNoteHandlers } from './features/school/pupils/pupil-notes.routes.ts';
import { pupilTagHandlers } from './features/school/pupils/pupil-tags.routes.ts';
import { pupilHandlers } from './features/school/pupils/pupils.routes.ts';
import { teacherHandlers } from './features/school/teachers/teachers.routes.ts';
import { archiveHandlers } from './features/school/archive/archive.routes.ts';
import { billingConsoleHandlers } from './features/billing/billing-console/billing-console.routes.ts';
import { purchaseHandlers } from './features/billing/purchases/purchases.routes.ts';
import { subscriptionHandlers } from './features/billing/subscriptions/subscriptions.routes.ts';
import { backgroundWorkHandlers } from './features/company/operators/background-work.routes.ts';
import { operatorHandlers } from './features/company/operators/operators.routes.ts';
import { supportAccessHandlers } from './features/company/operators/support-access.routes.ts';
import { certificateHandlers } from './features/help/certificates/certificates.routes.ts';
import { contactRequestHandlers } from './features/help/help/contact-requests.routes.ts';
import { helpHandlers } from './features/help/help/help.routes.ts';
import { deviceHandlers } from './features/accounts/devices/devices.routes.ts';
import { bookHandlers } from './features/books/books/books.routes.ts';
import { readingLevelHandlers } from './features/books/reading-levels/reading-levels.routes.ts';
import { acceptInvite, getInvitation } from './features/school/teachers/teachers.public.ts';
import type { Feature } from './feature.ts';
import { auditHeadsJob, auditPruningJob, auditSealingJob, type WriteLog } from './audit/audit-chain.jobs.ts';
import { auditNamesJob } from './audit/audit-names.jobs.ts';
import type { Services } from './context.ts';
import { type Handlers, serveRoutes } from './http/pipeline.ts';
import { apiDocsPage } from './pages/api-docs.ts';
import { compressReplies } from './http/compression.ts';
import { createServer } from './http/server.ts';
import { serveLogOut } from './pages/log-out.ts';
import { serveLiveness, systemHandlers } from './http/system.routes.ts';
import { buildLinkErrorPage, serveWeb } from './pages/static-files.ts';
import type { WebApp } from './pages/web-app.ts';
import type { Job } from './jobs/queue.ts';
import { type Delivery, mailJobs } from './mail/mail.ts';
import { loadTopLevelDomains } from './top-level-domains.ts';

/** The features with jobs, or with routes that are not calls. */
const features = [
  accessFeature,
  subjectAccessFeature,
  schoolClosingFeature,
  loginCardsFeature,
  erasureFeature,
  retentionFeature,
  schoolRecordsFeature,
  weeklyDigestFeature,
  secondFactorFeature,
  coversFeature,
  tabletsFeature,
  programsFeature,
  successionFeature,
  signInProvidersFeature({ getInvitation, acceptInvite }),
  invoicesFeature,
  cardPaymentsFeature,
  bookContentFeature,
] as const;

type NamesOf<F> = F extends Feature<infer Name> ? Name : never;

/** The handlers of the features that have nothing else. */
const otherHandlers = {
  ...systemHandlers,
  ...archiveHandlers,
  ...backgroundWorkHandlers,
  ...billingConsoleHandlers,
  ...bookHandlers,
  ...readingLevelHandlers,
  ...classHandlers,
  ...classMembershipHandlers,
  ...classReadingHandlers,
  ...contactRequestHandlers,
  ...dashboardHandlers,
  ...dataAndPrivacyHandlers,
  ...deletedClassHandlers,
  ...deviceHandlers,
  ...exportHandlers,
  ...hardWordHandlers,
  ...certificateHandlers,
  ...helpHandlers,
  ...operatorHandlers,
  ...membershipHandlers,
  ...pupilHandlers,
  ...pupilImportHandlers,
  ...pupilAssistantHandlers,
  ...pupilNoteHandlers,
  ...pupilProgressHandlers,
  ...pupilSessionHandlers,
  ...pupilTagHandlers,
  ...readingAppHandlers,
  ...readingFeedHandlers,
  ...readingNeedsHandlers,
  ...lowestFifthHandlers,
  ...recordViewHandlers,
  ...schoolHandlers,
  ...subscriptionHandlers,
  ...purchaseHandlers,
  ...supportAccessHandlers,
  ...teacherHandlers,
  ...termDateHandlers,
  ...runHandlers,
  ...yearEndHandlers,
};

/** The handler of every call. A call that no feature handles does not compile. */
export const handlers: Handlers = Object.assign(
  { ...otherHandlers },
  ...features.map((feature) => feature.handlers),
) as Pick<Handlers, NamesOf<(typeof features)[number]> | keyof typeof otherHandlers>;

function backupJobs(services: Services, folder: string, log: WriteLog): Job[] {
  const copyFiles = (to: string) => backUpOriginals(services.config.dataDir, to);
  return [
    backupJob(services, folder, copyFiles, log),
    offSiteJob(services, folder, log),
    ...(services.config.databaseUrl && services.config.hasRestoreTest
      ? [restoreTestJob(services, folder, copyFiles, log)]
      : []),
  ];
}

/**
 * All background jobs.
 * @param log receives what jobs write to the log
 */
export const listJobs = (services: Services, deliver: Delivery, log: WriteLog = () => undefined): Job[] => [
  ...mailJobs(services, deliver),
  ...(services.config.bounces ? [bounceMailboxJob(services, services.config.bounces.mailbox)] : []),
  ...embeddedUpkeepJobs(services.database),
  auditSealingJob(services),
  auditNamesJob(services),
  auditPruningJob(services),
  auditHeadsJob(services, log),
  ...features.flatMap((feature) => feature.jobs?.(services) ?? []),
  ...(services.config.backupDir ? [lastNumbersJob(services, services.config.backupDir)] : []),
  ...(services.config.backupDir && services.database.engine.kind === 'server'
    ? backupJobs(services, services.config.backupDir, log)
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
