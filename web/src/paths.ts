import type { RequestKind } from '#contract/rights.ts';
import { queryString, type Query } from './shared/url.ts';

/** Why a session ended without its user logging out. */
export type EndReason = 'session-ended' | 'cookies-blocked';

type Id = number | string;

const inClass = (classId: Id | undefined, rest: string): string =>
  classId === undefined ? rest : `/classes/${classId}${rest}`;

/** Builds the URL of every page. IDs may be `:names` where a route is declared. */
export const paths = {
  login: (query?: {
    redirect?: string;
    action?: 'decline' | 'password-changed' | `invite-${'accepted' | 'declined' | 'expired' | 'unknown'}` | EndReason;
  }) => `/login${queryString(query)}`,
  secondStep: (query?: { redirect?: string; code?: 'recovery' }) => `/login/second-step${queryString(query)}`,
  passkeyLogin: (query?: { redirect?: string }) => `/login/passkey${queryString(query)}`,
  enrolment: () => '/login/enrolment',
  supply: (query?: { action?: 'cover-ended' }) => `/supply${queryString(query)}`,
  signIn: (provider: string, query?: { redirect?: string; invitation?: string }) =>
    `/sign-in/${provider}${queryString(query)}`,
  logout: (query?: { redirect?: string; action?: EndReason }) => `/logout${queryString(query)}`,
  register: () => '/register',
  registerSchool: () => '/register-school',
  forgotten: () => '/forgotten',
  forgottenAgain: () => '/password/forgotten',
  passwordReset: () => '/password/reset',
  invite: (id: Id) => `/invite/${id}`,
  renewal: () => '/subscription/renew',
  subscriptionStep: (action: Id) => `/subscription/${action}`,
  logInAs: (token: Id) => `/token/${token}`,
  licence: () => '/licence',
  terms: () => '/terms',
  privacy: () => '/privacy',
  confirmEmail: (token: Id) => `/confirm/email/${token}`,
  emailChange: (token: Id) => `/email-change/${token}`,
  endSession: (token: Id) => `/end-session/${token}`,
  accessibility: () => '/accessibility',
  setUp: (token: Id) => `/setup/${token}`,

  selectSubscription: (query?: { show_sp_link?: 'false' }) => `/select-subscription${queryString(query)}`,
  fillBillingDetails: (packageId?: Id) => `/fill-billing-details${queryString({ package: packageId })}`,
  hostedInvoice: (token: Id) => `/invoices/${token}`,
  feedback: (contactEmail?: string, query?: { show_sp_link?: 'false' }) =>
    `/feedback${contactEmail ? `/${contactEmail.startsWith(':') ? contactEmail : encodeURIComponent(contactEmail)}` : ''}${queryString(query)}`,
  thanks: () => '/thanks',
  paymentRequired: (query?: { show_sp_link?: 'false' }) => `/payment-required${queryString(query)}`,
  admin: () => '/admin',
  adminSchool: (id: Id) => `/admin/schools/${id}`,
  adminInvoices: (query?: Query) => `/admin/invoices${queryString(query)}`,
  adminPackages: () => '/admin/packages',
  adminLevels: () => '/admin/levels',
  adminSubscriptions: (query?: Query) => `/admin/subscriptions${queryString(query)}`,
  adminRevenue: () => '/admin/revenue',
  adminRetention: (query?: Query) => `/admin/retention${queryString(query)}`,
  adminBackgroundWork: () => '/admin/background-work',
  newPassword: () => '/setup',
  confirmDetails: () => '/confirm/details',
  confirmEula: () => '/confirm/eula',

  lowestFifth: (query?: Query) => `/lowest-fifth${queryString(query)}`,
  dashboard: (query?: Query) => `/${queryString(query)}`,
  subscription: (query = '') => `/subscription${query}`,
  account: () => '/account',
  security: () => '/account/security',
  schoolSignIn: (query?: { 'sign-in'?: string | undefined; redirect?: string | undefined }) =>
    `/school-sign-in${queryString(query)}`,
  ownSchools: () => '/account/schools',
  joinSchool: (inviteId: Id) => `/account/schools/join/${inviteId}`,
  school: () => '/school',
  dataAndPrivacy: () => '/school/data',
  schoolRecords: () => '/school/records',
  schoolRecordsRun: (id: Id) => `/school/records/${id}`,
  privacyDocument: (name: string) => `/school/data/documents/${name}`,
  subjectRequests: (query?: Query) => `/school/data/requests${queryString(query)}`,
  newSubjectRequest: ({ kind, ...query }: { pupil?: number; staff?: number; kind?: RequestKind } = {}) =>
    `/school/data/requests/new${kind ? `/${kind}` : ''}${queryString(query)}`,
  subjectRequest: (id: Id) => `/school/data/requests/${id}`,
  changes: (query?: Query) => `/school/changes${queryString(query)}`,
  tablets: () => '/school/tablets',
  editSchool: () => '/edit-school',
  addPupilsToSchool: () => '/school/add-readers',
  schoolReaders: () => '/school/readers',
  pupils: (query?: Query) => `/pupils${queryString(query)}`,
  pupilLogins: () => '/pupils/logins',
  archive: () => '/pupils/archive',
  pupilLists: () => '/pupils/lists',
  pupilList: (id: Id) => `/pupils/lists/${id}`,
  pupil: (id: Id, classId?: Id, query?: Query) => inClass(classId, `/pupils/${id}${queryString(query)}`),
  pupilBooks: (id: Id, classId?: Id, query?: Query) => inClass(classId, `/pupils/${id}/books${queryString(query)}`),
  pupilBook: (id: Id, bookId: Id, query?: { rid?: string }) => `/pupils/${id}/books/${bookId}${queryString(query)}`,
  /** @param id the ID of a reset, or the token of a link to a file */
  logins: (id: Id) => `/logins/${id}`,
  teachers: () => '/teachers',
  appointAdmin: () => '/school/appoint-admin',
  addTeacher: () => '/add-teacher',
  classes: () => '/classes',
  yearEnd: () => '/year-end',
  classPage: (id: Id) => `/classes/${id}`,
  addPupilsToClass: (classId: Id) => `/classes/${classId}/add-readers`,
  classBooks: (classId: Id) => `/classes/${classId}/books`,

  overview: (query?: { search: string }) => `/overview${queryString(query)}`,
  userGuide: () => '/userguide',
  userGuideItem: (tabId: Id, itemId: Id) => `/userguide/${tabId}/${itemId}`,
  videoGuides: (query?: { video: string }) => `/videoguides${queryString(query)}`,
  templates: () => '/templates',
  faqs: () => '/faq',
  faq: (id: Id) => `/faq/${id}`,
  contact: () => '/contact',
} as const;
