import type { FastifyInstance } from 'fastify';
import { backupJob } from './database/backup/backup.jobs.ts';
import { backUpOriginals } from './features/book-content/book-content.public.ts';
import { accessHandlers } from './features/access/access.routes.ts';
import { accountHandlers } from './features/access/accounts.routes.ts';
import { operatorHandlers } from './features/operators/operators.routes.ts';
import { backgroundWorkHandlers } from './features/operators/background-work.routes.ts';
import { hiddenAccountCleanupJob } from './features/access/accounts.jobs.ts';
import { loginFailureJob } from './features/access/login-failures.jobs.ts';
import { passwordResetJob } from './features/access/password-reset.jobs.ts';
import { passwordResetHandlers } from './features/access/password-reset.routes.ts';
import { emailConfirmationJob } from './features/access/email-confirmation.jobs.ts';
import { emailConfirmationHandlers } from './features/access/email-confirmation.routes.ts';
import { accountActivationHandlers } from './features/access/account-activation.routes.ts';
import { archiveCleanupJob } from './features/archive/archive.jobs.ts';
import { archiveHandlers } from './features/archive/archive.routes.ts';
import { withdrawnBooksCleanupJob } from './features/catalogue/catalogue.jobs.ts';
import { bookHandlers } from './features/books/books.routes.ts';
import { serveContent } from './features/book-content/content.routes.ts';
import { classReadingHandlers } from './features/class-reading/class-reading.routes.ts';
import { billingConsoleHandlers } from './features/billing-console/billing-console.routes.ts';
import { cardPaymentHandlers, serveStripeWebhook } from './features/card-payments/card-payments.routes.ts';
import { hostedInvoiceHandlers } from './features/invoices/hosted-invoices.routes.ts';
import { invoiceMailJob } from './features/invoices/invoices.jobs.ts';
import { orderHandlers } from './features/invoices/orders.routes.ts';
import { paymentReportHandlers } from './features/invoices/payment-reports.routes.ts';
import { remindersJob, schoolRemindersJob } from './features/invoices/reminders.jobs.ts';
import { subscriptionHandlers } from './features/subscriptions/subscriptions.routes.ts';
import { classHandlers } from './features/classes/classes.routes.ts';
import { dashboardHandlers } from './features/dashboard/dashboard.routes.ts';
import { exportHandlers } from './features/exports/exports.routes.ts';
import { contactRequestHandlers } from './features/help/contact-requests.routes.ts';
import { helpHandlers } from './features/help/help.routes.ts';
import { downloadHandlers } from './features/login-cards/downloads.routes.ts';
import { pupilImportHandlers } from './features/pupil-import/pupil-import.routes.ts';
import { classMembershipHandlers } from './features/pupils/class-membership.routes.ts';
import { pupilHandlers } from './features/pupils/pupils.routes.ts';
import { pupilPasswordResetJob } from './features/login-cards/password-resets.jobs.ts';
import { pupilPasswordResetHandlers } from './features/login-cards/password-resets.routes.ts';
import { loginSheetCleanupJob } from './features/login-cards/login-sheets.jobs.ts';
import { readingAppHandlers } from './features/reading-app/reading-app.routes.ts';
import { digestCleanupJob, digestJob, schoolDigestJob } from './features/reading/digest.jobs.ts';
import { digestHandlers, serveDigestPages } from './features/reading/digest.routes.ts';
import { hardWordHandlers } from './features/hard-words/hard-words.routes.ts';
import { pupilProgressHandlers } from './features/pupil-progress/pupil-progress.routes.ts';
import { pupilNoteHandlers } from './features/pupils/pupil-notes.routes.ts';
import { readingNeedsHandlers } from './features/reading-needs/reading-needs.routes.ts';
import { readingHandlers } from './features/reading/reading.routes.ts';
import { schoolDetailsHandlers } from './features/school/details.routes.ts';
import { registrationHandlers } from './features/school/registration.routes.ts';
import { termDateHandlers } from './features/school/term-dates.routes.ts';
import { schoolHandlers } from './features/school/school.routes.ts';
import { inviteCleanupJob } from './features/teachers/invites.jobs.ts';
import { inviteHandlers } from './features/teachers/invites.routes.ts';
import { teacherHandlers } from './features/teachers/teachers.routes.ts';
import { yearEndCleanupJob } from './features/year-end/year-end.jobs.ts';
import { yearEndHandlers } from './features/year-end/year-end.routes.ts';
import { cleanupJob } from './http/cleanup.jobs.ts';
import { type Handlers, type Services, serveRoutes } from './http/pipeline.ts';
import { apiDocsPage } from './http/api-docs.ts';
import { compressAnswers } from './http/compression.ts';
import { createServer } from './http/server.ts';
import { systemHandlers } from './http/system.routes.ts';
import { serveWeb } from './http/static-files.ts';
import type { WebApp } from './http/web-app.ts';
import type { Job } from './jobs/queue.ts';
import { type Deliver, mailJob } from './mail/mail.ts';
import { loadTopLevelDomains } from './top-level-domains.ts';

/** The only list of all features. */
export const handlers: Handlers = {
  ...accessHandlers,
  ...accountHandlers,
  ...passwordResetHandlers,
  ...accountActivationHandlers,
  ...emailConfirmationHandlers,
  ...operatorHandlers,
  ...registrationHandlers,
  ...schoolHandlers,
  ...schoolDetailsHandlers,
  ...termDateHandlers,
  ...teacherHandlers,
  ...inviteHandlers,
  ...classHandlers,
  ...pupilHandlers,
  ...pupilImportHandlers,
  ...downloadHandlers,
  ...exportHandlers,
  ...classMembershipHandlers,
  ...pupilPasswordResetHandlers,
  ...archiveHandlers,
  ...yearEndHandlers,
  ...bookHandlers,
  ...readingHandlers,
  ...readingNeedsHandlers,
  ...classReadingHandlers,
  ...hardWordHandlers,
  ...pupilProgressHandlers,
  ...pupilNoteHandlers,
  ...digestHandlers,
  ...dashboardHandlers,
  ...readingAppHandlers,
  ...contactRequestHandlers,
  ...helpHandlers,
  ...subscriptionHandlers,
  ...orderHandlers,
  ...paymentReportHandlers,
  ...hostedInvoiceHandlers,
  ...cardPaymentHandlers,
  ...billingConsoleHandlers,
  ...backgroundWorkHandlers,
  ...systemHandlers,
};

/** All background work. */
export const listJobs = (services: Services, deliver: Deliver): Job[] =>
  [
    mailJob(services.database, deliver, services.clock),
    passwordResetJob(services),
    emailConfirmationJob(services),
    loginFailureJob(services),
    cleanupJob(services),
    hiddenAccountCleanupJob(services),
    pupilPasswordResetJob(services),
    loginSheetCleanupJob(services),
    archiveCleanupJob(services),
    yearEndCleanupJob(services),
    inviteCleanupJob(services),
    withdrawnBooksCleanupJob(services),
    digestCleanupJob(services),
    digestJob(services),
    schoolDigestJob(services),
    remindersJob(services),
    schoolRemindersJob(services),
    invoiceMailJob(services),
    ...(services.config.backupDir
      ? [backupJob(services, services.config.backupDir, (folder) => backUpOriginals(services.config.dataDir, folder))]
      : []),
  ] as Job[];

/**
 * Every call, and the web app where it is given; not listening yet.
 * @param watch told of the app before it has routes, so that what it adds holds for all
 */
export async function createApp(
  services: Services,
  web?: WebApp,
  watch: (app: FastifyInstance) => void = () => undefined,
): Promise<FastifyInstance> {
  loadTopLevelDomains();
  const app = await createServer(services.config, web?.scriptHashes ?? []);
  watch(app);
  await compressAnswers(app);
  serveRoutes(app, handlers, services, services.config.stage !== 'production');
  let reference: string | undefined;
  app.get('/v1/docs', (_request, reply) => {
    reference ??= apiDocsPage(services.config.productName);
    return reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache').send(reference);
  });
  await serveDigestPages(app, services);
  await serveContent(app, services);
  await serveStripeWebhook(app, services);
  await serveWeb(app, web, services);
  return app;
}
