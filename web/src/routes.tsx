import type { ComponentType } from 'react';
import { archivePageQueries } from './features/school/archive/archive.api.ts';
import LogoutPage from './features/accounts/access/LogoutPage.tsx';
import { classLibraryQueries, pupilLibraryQueries } from './features/books/books/library.api.ts';
import { pupilBookQueries } from './features/books/books/pupil-book.api.ts';
import {
  billingDetailsQueries,
  paymentRequiredQueries,
  selectSubscriptionQueries,
  subscriptionPageQueries,
} from './features/billing/billing/billing.api.ts';
import { classPageQueries } from './features/school/classes/classes.api.ts';
import { dashboardQueries } from './features/reading/dashboard/dashboard.api.ts';
import { lowestFifthQueries } from './features/reading/lowest-fifth/lowest-fifth.api.ts';
import { securityPageQueries } from './features/accounts/devices/devices.api.ts';
import { loginsPageQueries } from './features/school/login-cards/login-cards.api.ts';
import { pupilLoginsPageQueries, pupilPageQueries, pupilsPageQueries } from './features/school/pupils/pupils.api.ts';
import {
  dataAndPrivacyQueries,
  privacyDocumentQueries,
} from './features/privacy/data-and-privacy/data-and-privacy.api.ts';
import {
  newRequestQueries,
  requestPageQueries,
  requestsPageQueries,
} from './features/privacy/subject-access/subject-access.api.ts';
import { changesPageQueries } from './features/school/school/changes.api.ts';
import { schoolQueries } from './features/school/school/school.api.ts';
import { schoolPageQueries } from './features/school/school/school-details.api.ts';
import { joinSchoolPageQueries } from './features/accounts/memberships/memberships.api.ts';
import { factorQueries } from './features/accounts/second-factor/second-factor.api.ts';
import { linkedAccountQueries } from './features/accounts/sign-in-providers/sign-in-providers.api.ts';
import { tabletsPageQueries } from './features/school/tablets/tablets.api.ts';
import { teachersPageQueries } from './features/school/teachers/teachers.api.ts';
import { recordsPageQueries, runPageQueries } from './features/records/school-records/school-records.api.ts';
import { pupilListPageQueries, pupilListsPageQueries } from './features/records/pupil-import/pupil-import.api.ts';
import { yearEndPageQueries } from './features/records/year-end/year-end.api.ts';
import type { FirstQueries } from './shared/first-queries.ts';
import { ownDeliveriesQueries } from './shared/mail-deliveries.ts';
import type { ScreenAccess } from './shared/guard.ts';

/** One screen. `frame`: `main` with header and sidebar, `plain` a single column under the product's name. */
export interface AppRoute extends ScreenAccess {
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

type More = Pick<AppRoute, 'changes' | 'forSupply' | 'right' | 'queries' | 'area' | 'description'>;

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

const help: More = { area: 'help', forSupply: true };

/** Every screen, in the order of the specification's table. */
export const screens: readonly AppRoute[] = [
  // Part of the app, because its script cannot be loaded offline.
  plain('/logout', 'open', async () => ({ default: LogoutPage })),
  plain('/login/enrolment', 'open', () => import('./features/accounts/access/EnrolmentPage.tsx')),
  plain('/register-school', 'newcomer', () => import('./features/accounts/access/RegisterSchoolPage.tsx')),
  plain('/subscription/:action', 'open', () => import('./features/billing/billing/SubscriptionStepPage.tsx')),
  plain('/token/:token', 'open', () => import('./features/accounts/access/LogInAsPage.tsx')),
  plain('/confirm/email/:token', 'open', () => import('./features/accounts/access/ConfirmEmailPage.tsx')),
  plain('/email-change/:token', 'open', () => import('./features/accounts/access/EmailChangePage.tsx')),
  plain('/end-session/:token', 'open', () => import('./features/accounts/devices/EndSessionPage.tsx')),
  plain('/setup/:token', 'open', () => import('./features/accounts/access/SetUpPage.tsx')),

  plain('/select-subscription', 'member', () => import('./features/billing/billing/SelectSubscriptionPage.tsx'), {
    area: 'billing',
    forSupply: true,
    queries: selectSubscriptionQueries,
  }),
  plain('/fill-billing-details', 'member', () => import('./features/billing/billing/FillBillingDetailsPage.tsx'), {
    right: 'manage_subscription',
    area: 'billing',
    queries: billingDetailsQueries,
  }),
  plain('/feedback/:contact_email?', 'member', () => import('./features/billing/billing/FeedbackPage.tsx'), {
    area: 'billing',
    queries: paymentRequiredQueries,
  }),
  plain('/thanks', 'member', () => import('./features/billing/billing/ThanksPage.tsx'), {
    area: 'billing',
    queries: schoolQueries,
  }),
  plain('/payment-required', 'member', () => import('./features/billing/billing/PaymentRequiredPage.tsx'), {
    area: 'billing',
    forSupply: true,
    queries: paymentRequiredQueries,
  }),
  plain('/setup', 'new-password', () => import('./features/accounts/access/NewPasswordPage.tsx')),
  plain('/school-sign-in', 'provider', () => import('./features/accounts/account/SchoolSignInPage.tsx'), {
    queries: linkedAccountQueries,
  }),
  plain('/confirm/details', 'terms', () => import('./features/accounts/access/ConfirmDetailsPage.tsx'), {
    queries: schoolQueries,
  }),
  plain('/confirm/eula', 'terms', () => import('./features/accounts/access/ConfirmEulaPage.tsx'), {
    queries: schoolQueries,
  }),

  plain('/admin', 'operator', () => import('./features/company/operators/AdminPage.tsx')),
  plain('/admin/schools/:id', 'operator', () => import('./features/company/operators/AdminSchoolPage.tsx')),
  plain('/admin/invoices', 'operator', () => import('./features/company/operators/AdminInvoicesPage.tsx')),
  plain('/admin/subscriptions', 'operator', () => import('./features/company/operators/AdminSubscriptionsPage.tsx')),
  plain('/admin/packages', 'operator', () => import('./features/company/operators/AdminPackagesPage.tsx')),
  plain('/admin/levels', 'operator', () => import('./features/company/operators/AdminLevelsPage.tsx')),
  plain('/admin/revenue', 'operator', () => import('./features/company/operators/AdminRevenuePage.tsx')),
  plain('/admin/background-work', 'operator', () => import('./features/company/operators/AdminBackgroundWorkPage.tsx')),
  plain('/admin/retention', 'operator', () => import('./features/company/operators/AdminRetentionPage.tsx')),

  main('/', () => import('./features/reading/dashboard/DashboardPage.tsx'), {
    right: 'view_pupils',
    queries: dashboardQueries,
  }),
  main('/lowest-fifth', () => import('./features/reading/lowest-fifth/LowestFifthPage.tsx'), {
    right: 'manage_reasons',
    queries: lowestFifthQueries,
  }),
  main('/subscription', () => import('./features/billing/billing/SubscriptionPage.tsx'), {
    right: 'manage_subscription',
    area: 'billing',
    queries: subscriptionPageQueries,
  }),
  {
    ...main('/account', () => import('./features/accounts/account/AccountPage.tsx'), {
      area: 'account',
      queries: ownDeliveriesQueries,
    }),
    access: 'account',
  },
  {
    ...main('/account/security', () => import('./features/accounts/account/SecurityPage.tsx'), {
      area: 'account',
      queries: (visit) =>
        visit.user.impersonated_by
          ? []
          : [...factorQueries(visit), ...linkedAccountQueries(visit), ...securityPageQueries(visit)],
    }),
    access: 'account',
  },
  {
    ...main('/account/schools', () => import('./features/accounts/memberships/OwnSchoolsPage.tsx'), {
      area: 'account',
    }),
    access: 'staff',
  },
  plain(
    '/account/schools/join/:inviteId',
    'staff',
    () => import('./features/accounts/memberships/JoinSchoolPage.tsx'),
    {
      queries: joinSchoolPageQueries,
    },
  ),
  main('/school', () => import('./features/school/school/SchoolPage.tsx'), {
    area: 'account',
    queries: schoolPageQueries,
  }),
  main('/school/data', () => import('./features/privacy/data-and-privacy/DataAndPrivacyPage.tsx'), {
    right: 'view_privacy',
    area: 'records',
    queries: dataAndPrivacyQueries,
  }),
  main('/school/records', () => import('./features/records/school-records/SchoolRecordsPage.tsx'), {
    right: 'delete_pupil',
    queries: recordsPageQueries,
  }),
  main('/school/records/:runId', () => import('./features/records/school-records/SchoolRecordsRunPage.tsx'), {
    right: 'delete_pupil',
    queries: runPageQueries,
  }),
  main('/school/data/documents/:name', () => import('./features/privacy/data-and-privacy/PrivacyDocumentPage.tsx'), {
    right: 'view_privacy',
    area: 'records',
    queries: privacyDocumentQueries,
  }),
  main('/school/data/requests', () => import('./features/privacy/subject-access/SubjectRequestsPage.tsx'), {
    right: 'manage_requests',
    area: 'records',
    queries: requestsPageQueries,
  }),
  main('/school/data/requests/new', () => import('./features/privacy/subject-access/NewSubjectRequestPage.tsx'), {
    right: 'manage_requests',
    area: 'records',
    queries: newRequestQueries,
  }),
  main('/school/data/requests/new/:kind', () => import('./features/privacy/subject-access/NewSubjectRequestPage.tsx'), {
    right: 'manage_requests',
    area: 'records',
    queries: newRequestQueries,
  }),
  main('/school/data/requests/:id', () => import('./features/privacy/subject-access/SubjectRequestPage.tsx'), {
    right: 'manage_requests',
    area: 'records',
    queries: requestPageQueries,
  }),
  main('/school/changes', () => import('./features/school/school/ChangesPage.tsx'), {
    right: 'view_privacy',
    area: 'records',
    queries: changesPageQueries,
  }),
  main('/school/tablets', () => import('./features/school/tablets/TabletsPage.tsx'), {
    right: 'view_pupils',
    forSupply: true,
    queries: tabletsPageQueries,
  }),
  main('/edit-school', () => import('./features/school/school/EditSchoolPage.tsx'), {
    area: 'settings',
    changes: true,
  }),
  main('/school/add-readers', () => import('./features/records/pupil-import/AddPupilsPage.tsx'), {
    right: 'manage_pupils',
    changes: true,
  }),
  main('/school/readers', () => import('./shell/ToPupilsPage.tsx'), { right: 'view_pupils', forSupply: true }),
  main('/pupils', () => import('./features/school/pupils/PupilsPage.tsx'), {
    right: 'view_pupils',
    forSupply: true,
    queries: pupilsPageQueries,
  }),
  main('/pupils/logins', () => import('./features/school/pupils/PupilLoginsPage.tsx'), {
    right: 'manage_logins',
    forSupply: true,
    area: 'pupil-logins',
    changes: true,
    queries: pupilLoginsPageQueries,
  }),
  main('/pupils/archive', () => import('./features/school/archive/ArchivePage.tsx'), {
    right: 'manage_classes',
    area: 'records',
    queries: archivePageQueries,
  }),
  main('/pupils/lists', () => import('./features/records/pupil-import/PupilListsPage.tsx'), {
    right: 'manage_pupils',
    queries: pupilListsPageQueries,
  }),
  main('/pupils/lists/:runId', () => import('./features/records/pupil-import/PupilListPage.tsx'), {
    right: 'manage_pupils',
    queries: pupilListPageQueries,
  }),
  main('/pupils/:id', () => import('./features/school/pupils/PupilPage.tsx'), {
    right: 'view_pupils',
    forSupply: true,
    queries: pupilPageQueries,
  }),
  main('/classes/:classId/pupils/:id', () => import('./features/school/pupils/PupilPage.tsx'), {
    right: 'view_pupils',
    forSupply: true,
    queries: pupilPageQueries,
  }),
  main('/pupils/:id/books', () => import('./features/books/books/PupilLibraryPage.tsx'), {
    right: 'view_pupils',
    forSupply: true,
    queries: pupilLibraryQueries,
  }),
  main('/classes/:classId/pupils/:id/books', () => import('./features/books/books/PupilLibraryPage.tsx'), {
    right: 'view_pupils',
    forSupply: true,
    queries: pupilLibraryQueries,
  }),
  main('/pupils/:id/books/:bookId', () => import('./features/books/books/PupilBookPage.tsx'), {
    right: 'view_pupils',
    forSupply: true,
    queries: pupilBookQueries,
  }),
  main('/logins/:id', () => import('./features/school/login-cards/LoginsPage.tsx'), {
    right: 'manage_logins',
    forSupply: true,
    area: 'pupil-logins',
    queries: loginsPageQueries,
  }),
  main('/teachers', () => import('./features/school/teachers/TeachersPage.tsx'), {
    area: 'staff',
    queries: teachersPageQueries,
  }),
  main('/school/appoint-admin', () => import('./features/school/succession/AppointAdminPage.tsx'), {
    area: 'staff',
    queries: schoolQueries,
  }),
  main('/add-teacher', () => import('./features/school/teachers/AddTeacherPage.tsx'), {
    right: 'add_teacher',
    changes: true,
  }),
  main('/classes', () => import('./features/school/classes/ClassesPage.tsx'), {
    right: 'view_pupils',
    forSupply: true,
    queries: schoolQueries,
  }),
  main('/year-end', () => import('./features/records/year-end/YearEndPage.tsx'), {
    changes: true,
    right: 'delete_pupil',
    queries: yearEndPageQueries,
  }),
  main('/classes/:id', () => import('./features/school/classes/ClassPage.tsx'), {
    right: 'view_pupils',
    forSupply: true,
    queries: classPageQueries,
  }),
  main('/classes/:classId/add-readers', () => import('./features/records/pupil-import/AddPupilsPage.tsx'), {
    right: 'manage_pupils',
    changes: true,
  }),
  main('/classes/:classId/books', () => import('./features/books/books/ClassLibraryPage.tsx'), {
    right: 'view_pupils',
    forSupply: true,
    queries: classLibraryQueries,
  }),
  main('/overview', () => import('./features/help/help/OverviewPage.tsx'), help),
  main('/userguide', () => import('./features/help/help/UserGuidePage.tsx'), help),
  main('/userguide/:tabId/:itemId', () => import('./features/help/help/UserGuidePage.tsx'), help),
  main('/videoguides', () => import('./features/help/help/VideoGuidesPage.tsx'), help),
  main('/templates', () => import('./features/help/help/TemplatesPage.tsx'), help),
  main('/faq', () => import('./features/help/help/FaqPage.tsx'), help),
  main('/faq/:faqId', () => import('./features/help/help/FaqPage.tsx'), help),
  main('/contact', () => import('./features/help/help/ContactPage.tsx'), { area: 'help' }),

  // Signed-in users see it in the main frame; guests see it without.
  { ...main('*', () => import('./features/accounts/access/NotFoundPage.tsx')), access: 'open' },
];
