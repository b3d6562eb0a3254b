import { allCalls } from '#contract/calls.ts';
import type { FastifyInstance } from 'fastify';
import { accessRoutes } from './features/access/access.routes.ts';
import { accountRoutes } from './features/access/accounts.routes.ts';
import { operatorRoutes } from './features/operators/operators.routes.ts';
import { passwordResetJob } from './features/access/password-reset.jobs.ts';
import { passwordResetRoutes } from './features/access/password-reset.routes.ts';
import { accountActivationRoutes } from './features/access/account-activation.routes.ts';
import { classRoutes } from './features/classes/classes.routes.ts';
import { dashboardRoutes } from './features/dashboard/dashboard.routes.ts';
import { contactRequestRoutes } from './features/help/contact-requests.routes.ts';
import { downloadRoutes } from './features/login-cards/downloads.routes.ts';
import { pupilImportRoutes } from './features/pupil-import/pupil-import.routes.ts';
import { classMembershipRoutes } from './features/pupils/class-membership.routes.ts';
import { pupilRoutes } from './features/pupils/pupils.routes.ts';
import { pupilPasswordResetJob } from './features/login-cards/password-resets.jobs.ts';
import { pupilPasswordResetRoutes } from './features/login-cards/password-resets.routes.ts';
import { loginSheetCleanupJob } from './features/login-cards/login-sheets.jobs.ts';
import { readingAppRoutes } from './features/reading-app/reading-app.routes.ts';
import { digestJob, schoolDigestJob } from './features/reading/digest.jobs.ts';
import { digestRoutes, serveDigestPages } from './features/reading/digest.routes.ts';
import { readingRoutes } from './features/reading/reading.routes.ts';
import { schoolDetailsRoutes } from './features/school/details.routes.ts';
import { registrationRoutes } from './features/school/registration.routes.ts';
import { schoolRoutes } from './features/school/school.routes.ts';
import { inviteRoutes } from './features/teachers/invites.routes.ts';
import { teacherRoutes } from './features/teachers/teachers.routes.ts';
import { cleanupJob } from './http/cleanup.jobs.ts';
import { type Services, serveRoutes } from './http/pipeline.ts';
import { apiDocsPage } from './http/api-docs.ts';
import { createServer } from './http/server.ts';
import { systemRoutes } from './http/system.routes.ts';
import { type Page, serveWeb } from './http/static-files.ts';
import type { Job } from './jobs/queue.ts';
import { type Deliver, mailJob } from './mail/mail.ts';

/** The only list of all features. */
const routes = [
  ...accessRoutes,
  ...accountRoutes,
  ...passwordResetRoutes,
  ...accountActivationRoutes,
  ...operatorRoutes,
  ...registrationRoutes,
  ...schoolRoutes,
  ...schoolDetailsRoutes,
  ...teacherRoutes,
  ...inviteRoutes,
  ...classRoutes,
  ...pupilRoutes,
  ...pupilImportRoutes,
  ...downloadRoutes,
  ...classMembershipRoutes,
  ...pupilPasswordResetRoutes,
  ...readingRoutes,
  ...digestRoutes,
  ...dashboardRoutes,
  ...readingAppRoutes,
  ...contactRequestRoutes,
  ...systemRoutes(allCalls),
];

/** All background work. */
export const listJobs = (services: Services, deliver: Deliver): Job[] =>
  [
    mailJob(services.database, deliver, services.clock),
    passwordResetJob(services),
    cleanupJob(services),
    pupilPasswordResetJob(services),
    loginSheetCleanupJob(services),
    digestJob(services),
    schoolDigestJob(services),
  ] as Job[];

/** Every call, and the web app where its page is given; not listening yet. */
export async function createApp(services: Services, page?: Page): Promise<FastifyInstance> {
  const app = await createServer(services.config, page?.scriptHashes ?? []);
  serveRoutes(app, routes, services, services.config.stage !== 'production');
  const reference = apiDocsPage(allCalls, services.config.productName);
  app.get('/v1/docs', (_request, reply) => reply.type('text/html; charset=utf-8').send(reference));
  await serveDigestPages(app, services);
  await serveWeb(app, page);
  return app;
}
