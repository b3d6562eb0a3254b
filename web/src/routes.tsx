import type { ComponentType } from 'react';
import { archivePageQueries } from './features/archive/archive.api.ts';
import LogoutPage from './features/access/LogoutPage.tsx';
import { classLibraryQueries, pupilLibraryQueries } from './features/books/library.api.ts';
import { pupilBookQueries } from './features/books/pupil-book.api.ts';
import {
  billingDetailsQueries,
  paymentRequiredQueries,
  schoolAloneQueries,
  selectSubscriptionQueries,
  subscriptionPageQueries,
} from './features/billing/billing.api.ts';
import { classPageQueries } from './features/classes/classes.api.ts';
import { dashboardQueries } from './features/dashboard/dashboard.api.ts';
import { securityPageQueries } from './features/devices/devices.api.ts';
import { loginsPageQueries } from './features/login-cards/login-cards.api.ts';
import { pupilLoginsPageQueries, pupilPageQueries, pupilsPageQueries } from './features/pupils/pupils.api.ts';
import { dataAndPrivacyQueries, privacyDocumentQueries } from './features/privacy/privacy.api.ts';
import {
  newRequestQueries,
  requestPageQueries,
  requestsPageQueries,
} from './features/subject-access/subject-access.api.ts';
import { changesPageQueries } from './features/school/changes.api.ts';
import { schoolPageQueries } from './features/school/school-details.api.ts';
import { factorQueries } from './features/second-factor/second-factor.api.ts';
import { linkedAccountQueries } from './features/sign-in-providers/sign-in-providers.api.ts';
import { teachersPageQueries } from './features/teachers/teachers.api.ts';
import { recordsPageQueries, runPageQueries } from './features/roster/roster.api.ts';
import { yearEndPageQueries } from './features/year-end/year-end.api.ts';
import type { FirstQueries } from './shared/first-queries.ts';
import type { Guarded } from './shell/guard.ts';

/** One screen. `frame`: `main` with header and sidebar, `plain` a single column under the product's name. */
export interface AppRoute extends Guarded {
  path: string;
  frame: 'main' | 'plain';
  /** Style of the page body inside the main frame. */
  body?: 'dashboard' | 'school';
  load: Page;
  /** The queries that the screen needs first, from its feature's `.api.ts`. */
  queries?: FirstQueries;
  /** Describes the page to search engines. Only for the pages that `public/robots.txt` allows. */
  description?: string;
}

/** `moduleId` names the source on the server, which looks up the files that the browser needs by it. */
type Page = () => Promise<{ default: ComponentType; moduleId?: string }>;

type More = Pick<AppRoute, 'changes' | 'right' | 'queries' | 'area' | 'description'>;

const plain = (path: string, access: AppRoute['access'], load: Page, more: More = {}): AppRoute => ({
  path,
  access,
  frame: 'plain',
  load,
  ...more,
});
const main = (path: string, load: Page, more: More = {}): AppRoute => ({
  path,
  access: 'member',
  frame: 'main',
  body: path === '/' ? 'dashboard' : 'school',
  load,
  ...more,
});

/** Every screen, in the order of the specification's table. */
export const screens: readonly AppRoute[] = [
  plain('/login', 'guest', () => import('./features/access/LoginPage.tsx'), {
    description: 'Log in to see how the pupils of your school are reading.',
  }),
  // Part of the app, because its script cannot be loaded offline.
  plain('/logout', 'open', async () => ({ default: LogoutPage })),
  plain('/register', 'guest', () => import('./features/access/RegisterPage.tsx'), {
    description: 'Register your school to add its staff, classes and pupils and see how they read.',
  }),
  plain('/register-school', 'newcomer', () => import('./features/access/RegisterSchoolPage.tsx')),
  plain('/forgotten', 'guest', () => import('./features/access/ForgottenPage.tsx'), {
    description: 'Get a link to choose a new password.',
  }),
  plain('/password/forgotten', 'guest', () => import('./features/access/ForgottenPage.tsx')),
  plain('/password/reset', 'reset', () => import('./features/access/ResetPasswordPage.tsx')),
  plain('/invite/:id', 'open', () => import('./features/access/InvitePage.tsx')),
  plain('/subscription/:action', 'open', () => import('./features/billing/SubscriptionStepPage.tsx')),
  plain('/token/:token', 'open', () => import('./features/access/LogInAsPage.tsx')),
  plain('/licence', 'open', () => import('./features/help/LicencePage.tsx'), {
    description: 'The licence agreement for schools.',
  }),
  plain('/terms', 'open', () => import('./features/help/TermsPage.tsx'), {
    description: 'The terms and conditions of the service for schools.',
  }),
  plain('/privacy', 'open', () => import('./features/help/PrivacyPage.tsx'), {
    description: 'What we store about pupils and staff, why, for how long, and who can see it.',
  }),
  plain('/confirm/email/:token', 'open', () => import('./features/access/ConfirmEmailPage.tsx')),
  plain('/email-change/:token', 'open', () => import('./features/access/EmailChangePage.tsx')),
  plain('/end-session/:token', 'open', () => import('./features/devices/EndSessionPage.tsx')),
  plain('/accessibility', 'open', () => import('./features/help/AccessibilityPage.tsx'), {
    description: 'How accessible the portal is, and how to report a problem.',
  }),
  plain('/setup/:token', 'open', () => import('./features/access/SetUpPage.tsx')),

  plain('/select-subscription', 'member', () => import('./features/billing/SelectSubscriptionPage.tsx'), {
    area: 'billing',
    queries: selectSubscriptionQueries,
  }),
  plain('/fill-billing-details', 'member', () => import('./features/billing/FillBillingDetailsPage.tsx'), {
    right: 'manage_subscription',
    area: 'billing',
    queries: billingDetailsQueries,
  }),
  plain('/feedback/:contact_email?', 'member', () => import('./features/billing/FeedbackPage.tsx'), {
    area: 'billing',
    queries: paymentRequiredQueries,
  }),
  plain('/thanks', 'member', () => import('./features/billing/ThanksPage.tsx'), {
    area: 'billing',
    queries: schoolAloneQueries,
  }),
  plain('/payment-required', 'member', () => import('./features/billing/PaymentRequiredPage.tsx'), {
    area: 'billing',
    queries: paymentRequiredQueries,
  }),
  plain('/invoices/:token', 'open', () => import('./features/billing/HostedInvoicePage.tsx')),
  plain('/setup', 'new-password', () => import('./features/access/NewPasswordPage.tsx')),
  plain('/confirm/details', 'terms', () => import('./features/access/ConfirmDetailsPage.tsx'), {
    queries: schoolAloneQueries,
  }),
  plain('/confirm/eula', 'terms', () => import('./features/access/ConfirmEulaPage.tsx'), {
    queries: schoolAloneQueries,
  }),

  plain('/admin', 'operator', () => import('./features/operators/AdminPage.tsx')),
  plain('/admin/schools/:id', 'operator', () => import('./features/operators/AdminSchoolPage.tsx')),
  plain('/admin/invoices', 'operator', () => import('./features/operators/AdminInvoicesPage.tsx')),
  plain('/admin/subscriptions', 'operator', () => import('./features/operators/AdminSubscriptionsPage.tsx')),
  plain('/admin/packages', 'operator', () => import('./features/operators/AdminPackagesPage.tsx')),
  plain('/admin/revenue', 'operator', () => import('./features/operators/AdminRevenuePage.tsx')),
  plain('/admin/background-work', 'operator', () => import('./features/operators/AdminBackgroundWorkPage.tsx')),
  plain('/admin/retention', 'operator', () => import('./features/operators/AdminRetentionPage.tsx')),

  main('/', () => import('./features/dashboard/DashboardPage.tsx'), { queries: dashboardQueries }),
  main('/subscription', () => import('./features/billing/SubscriptionPage.tsx'), {
    right: 'manage_subscription',
    area: 'billing',
    queries: subscriptionPageQueries,
  }),
  {
    ...main('/account', () => import('./features/account/AccountPage.tsx'), { area: 'account' }),
    access: 'account',
  },
  {
    ...main('/account/security', () => import('./features/account/SecurityPage.tsx'), {
      area: 'account',
      queries: (visit) =>
        visit.user.impersonated_by
          ? []
          : [...factorQueries(visit), ...linkedAccountQueries(visit), ...securityPageQueries(visit)],
    }),
    access: 'account',
  },
  main('/school', () => import('./features/school/SchoolPage.tsx'), { area: 'account', queries: schoolPageQueries }),
  main('/school/data', () => import('./features/privacy/DataAndPrivacyPage.tsx'), {
    right: 'edit_school',
    area: 'records',
    queries: dataAndPrivacyQueries,
  }),
  main('/school/records', () => import('./features/roster/SchoolRecordsPage.tsx'), {
    right: 'delete_pupil',
    queries: recordsPageQueries,
  }),
  main('/school/records/:runId', () => import('./features/roster/RosterRunPage.tsx'), {
    right: 'delete_pupil',
    queries: runPageQueries,
  }),
  main('/school/data/documents/:name', () => import('./features/privacy/PrivacyDocumentPage.tsx'), {
    right: 'edit_school',
    area: 'records',
    queries: privacyDocumentQueries,
  }),
  main('/school/data/requests', () => import('./features/subject-access/SubjectRequestsPage.tsx'), {
    right: 'edit_school',
    area: 'records',
    queries: requestsPageQueries,
  }),
  main('/school/data/requests/new', () => import('./features/subject-access/NewSubjectRequestPage.tsx'), {
    right: 'edit_school',
    area: 'records',
    queries: newRequestQueries,
  }),
  main('/school/data/requests/new/:kind', () => import('./features/subject-access/NewSubjectRequestPage.tsx'), {
    right: 'edit_school',
    area: 'records',
    queries: newRequestQueries,
  }),
  main('/school/data/requests/:id', () => import('./features/subject-access/SubjectRequestPage.tsx'), {
    right: 'edit_school',
    area: 'records',
    queries: requestPageQueries,
  }),
  main('/school/changes', () => import('./features/school/ChangesPage.tsx'), {
    right: 'edit_school',
    area: 'records',
    queries: changesPageQueries,
  }),
  main('/edit-school', () => import('./features/school/EditSchoolPage.tsx'), { area: 'settings', changes: true }),
  main('/school/add-readers', () => import('./features/pupil-import/AddPupilsPage.tsx'), { changes: true }),
  main('/school/readers', () => import('./shell/ToPupilsPage.tsx')),
  main('/pupils', () => import('./features/pupils/PupilsPage.tsx'), { queries: pupilsPageQueries }),
  main('/pupils/logins', () => import('./features/pupils/PupilLoginsPage.tsx'), {
    area: 'pupil-logins',
    changes: true,
    queries: pupilLoginsPageQueries,
  }),
  main('/pupils/archive', () => import('./features/archive/ArchivePage.tsx'), {
    area: 'records',
    queries: archivePageQueries,
  }),
  main('/pupils/:id', () => import('./features/pupils/PupilPage.tsx'), { queries: pupilPageQueries }),
  main('/classes/:classId/pupils/:id', () => import('./features/pupils/PupilPage.tsx'), { queries: pupilPageQueries }),
  main('/pupils/:id/books', () => import('./features/books/PupilLibraryPage.tsx'), { queries: pupilLibraryQueries }),
  main('/classes/:classId/pupils/:id/books', () => import('./features/books/PupilLibraryPage.tsx'), {
    queries: pupilLibraryQueries,
  }),
  main('/pupils/:id/books/:bookId', () => import('./features/books/PupilBookPage.tsx'), { queries: pupilBookQueries }),
  main('/logins/:id', () => import('./features/login-cards/LoginsPage.tsx'), {
    area: 'pupil-logins',
    queries: loginsPageQueries,
  }),
  main('/teachers', () => import('./features/teachers/TeachersPage.tsx'), {
    area: 'staff',
    queries: teachersPageQueries,
  }),
  main('/add-teacher', () => import('./features/teachers/AddTeacherPage.tsx'), { right: 'add_teacher', changes: true }),
  main('/classes', () => import('./features/classes/ClassesPage.tsx')),
  main('/year-end', () => import('./features/year-end/YearEndPage.tsx'), {
    changes: true,
    right: 'delete_pupil',
    queries: yearEndPageQueries,
  }),
  main('/classes/:id', () => import('./features/classes/ClassPage.tsx'), { queries: classPageQueries }),
  main('/classes/:classId/add-readers', () => import('./features/pupil-import/AddPupilsPage.tsx'), { changes: true }),
  main('/classes/:classId/books', () => import('./features/books/ClassLibraryPage.tsx'), {
    queries: classLibraryQueries,
  }),
  main('/overview', () => import('./features/help/OverviewPage.tsx'), { area: 'help' }),
  main('/userguide', () => import('./features/help/UserGuidePage.tsx'), { area: 'help' }),
  main('/userguide/:tabId/:itemId', () => import('./features/help/UserGuidePage.tsx'), { area: 'help' }),
  main('/videoguides', () => import('./features/help/VideoGuidesPage.tsx'), { area: 'help' }),
  main('/templates', () => import('./features/help/TemplatesPage.tsx'), { area: 'help' }),
  main('/faq', () => import('./features/help/FaqPage.tsx'), { area: 'help' }),
  main('/faq/:faqId', () => import('./features/help/FaqPage.tsx'), { area: 'help' }),
  main('/contact', () => import('./features/help/ContactPage.tsx'), { area: 'help' }),

  // Signed-in users see it in the main frame; guests see it without.
  { ...main('*', () => import('./features/access/NotFoundPage.tsx')), access: 'open' },
];
