import type { Page, Request } from '@playwright/test';

/** A screen: its name in tests, its URL and its heading. */
export type Screen = [name: string, path: string, heading: string | RegExp];

/** Screens of an admin of the demonstration school. */
export const adminScreens: Screen[] = [
  ['dashboard', '/', /Dashboard/],
  ['dashboard of a class', '/?class=2&from=2026-01-01&to=2026-03-31', /Dashboard/],
  ['lowest fifth of a year', '/lowest-fifth', 'The lowest fifth of a year'],
  ['pupils', '/pupils', 'Pupils'],
  ['pupils, none found', '/pupils?search=zzzz', 'Pupils'],
  ['archive', '/pupils/archive', 'Archive'],
  ['tablets', '/school/tablets', 'Tablets'],
  ['lists of pupils', '/pupils/lists', 'Lists of pupils'],
  ['list of pupils that is not there', '/pupils/lists/999999', 'List not found'],
  ['pupil', '/pupils/29', /./],
  ['pupil in a class', '/classes/2/pupils/29', /./],
  ['pupil who is not there', '/pupils/999999', /./],
  ['library of a class', '/classes/2/books', /^Books of/],
  ['library of a class, nothing found', '/classes/2/books?search=zzzz', /^Books of/],
  ['library of a pupil', '/pupils/29/books?from=1&to=3', /./],
  ['book of a pupil', '/pupils/29/books/101', 'The Wet Pup'],
  ['book that is not there', '/pupils/29/books/999999', 'Book not found'],
  ['logins that are not there', '/logins/00000000-0000-4000-8000-000000000000', 'New logins'],
  ['classes', '/classes', 'Classes'],
  ['year end', '/year-end', 'Year end'],
  ['class', '/classes/2', /Kingfishers/],
  ['class, adding existing pupils', '/classes/2?add=existing', /Kingfishers/],
  ['class that is not there', '/classes/999999', 'Class not found'],
  ['adding pupils', '/school/add-readers', 'Add Pupils'],
  ['adding pupils to a class', '/classes/2/add-readers', 'Add Pupils'],
  ['school', '/school', 'School'],
  ['data and privacy', '/school/data', 'Data and privacy'],
  ['school records', '/school/records', 'School records'],
  ['file of school records that is not there', '/school/records/999999', 'File not found'],
  ['privacy notice for parents', '/school/data/documents/privacy-notice', 'Privacy notice for parents'],
  ['requests and complaints', '/school/data/requests', 'Requests and complaints'],
  ['new request or complaint', '/school/data/requests/new?pupil=29', 'New request or complaint'],
  ['new subject access request', '/school/data/requests/new/access?pupil=29', 'New request'],
  ['new request for the educational record', '/school/data/requests/new/educational_record?pupil=29', 'New request'],
  ['new complaint', '/school/data/requests/new/complaint?pupil=29', 'New complaint'],
  ['request that is not there', '/school/data/requests/999999', 'Request not found'],
  ['changes', '/school/changes?kind=pupils', 'Changes'],
  ['editing the school', '/edit-school', 'Update the school details'],
  ['teachers', '/teachers', 'Teachers'],
  ['appointing an admin', '/school/appoint-admin', 'Appoint an admin'],
  ['adding teachers', '/add-teacher', 'Add Teacher'],
  ['account', '/account', 'Edit Details'],
  ['security', '/account/security', 'Security'],
  ['schools of the user', '/account/schools', 'Your schools'],
  ['subscription', '/subscription', 'Subscription'],
  ['choice of a package', '/select-subscription', 'Choose a package'],
  ['billing details', '/fill-billing-details?package=5', 'Billing details'],
  ['billing details of no package', '/fill-billing-details?package=999', 'Billing details'],
  ['invoice after a purchase, without a recent one', '/feedback/finance@willowbank.example', /Dashboard/],
  ['logins of pupils', '/pupils/logins', 'Pupils’ logins'],
  ['thanks', '/thanks', 'Thanks'],
  ['help and support', '/overview?search=password', 'Help and support'],
  ['user guide', '/userguide', 'Register your school and log in'],
  ['section of the user guide', '/userguide/getting-the-most/dashboard', 'Read the dashboard'],
  ['section of the guide’s last part', '/userguide/records-and-privacy/data-and-privacy', 'Data and privacy'],
  ['section that is not there', '/userguide/getting-the-most/nothing', 'Section not found'],
  ['video guides', '/videoguides', 'Video guides'],
  ['templates', '/templates', 'Templates'],
  ['FAQs', '/faq/3', 'FAQs'],
  ['contact', '/contact', 'Contact'],
  ['unknown address', '/nowhere/at-all', 'Page not found'],
];

/** Screens of an operator. */
export const operatorScreens: Screen[] = [
  ['schools', '/admin', 'Schools'],
  ['a school', '/admin/schools/1', /Willowbank/],
  ['all invoices', '/admin/invoices?status=all', 'Invoices'],
  ['all subscriptions', '/admin/subscriptions', 'Subscriptions'],
  ['packages', '/admin/packages', 'Packages'],
  ['levels', '/admin/levels', 'Levels'],
  ['revenue', '/admin/revenue', 'Revenue'],
  ['retention', '/admin/retention', 'Retention'],
  ['background work', '/admin/background-work', 'Background work'],
];

/** Screens that need no login. */
export const guestScreens: Screen[] = [
  ['registration', '/register', 'Register'],
  ['registration of a school', '/register-school', 'Register your school'],
  ['login with a code', '/supply', 'Log in with a code'],
  ['login with a code, after a cover', '/supply?action=cover-ended', 'Log in with a code'],
  ['forgotten password', '/forgotten', 'Forgotten Password'],
  ['forgotten password, second address', '/password/forgotten', 'Forgotten Password'],
  ['new password', '/password/reset?token=none', 'Choose a new password'],
  ['subscription, register', '/subscription/register', 'Start a subscription'],
  ['subscription, start', '/subscription/start', 'Start a subscription'],
  ['subscription, renew', '/subscription/renew', 'Renew your subscription'],
  ['subscription, warning', '/subscription/warning', 'For schools only'],
  ['licence', '/licence', /./],
  ['terms', '/terms', /./],
  ['privacy notice', '/privacy', /./],
  ['accessibility statement', '/accessibility', 'Accessibility'],
  ['set-up link that is not there', '/setup/none', 'Set up your account'],
  ['link to confirm an address', '/confirm/email/none', 'Confirm your email address'],
  ['link to log out a device', '/end-session/none', 'Log out a device'],
  ['link about a change of address', '/email-change/none', 'Change of your email address'],
  ['operators', '/admin', /Operator/],
];

/**
 * Collects the errors and warnings in the browser's console, such as hydration mismatches, and uncaught errors. Failed
 * API calls do not count, because the screen shows them.
 */
export function collectConsoleErrors(page: Page): { stop: () => string[] } {
  const consoleErrors: string[] = [];
  const onConsole = (message: { type(): string; text(): string }) => {
    const isAnswer = message.text().startsWith('Failed to load resource');
    if (['error', 'warning'].includes(message.type()) && !isAnswer)
      consoleErrors.push(`${page.url()}: ${message.text()}`);
  };
  const onError = (error: Error) => consoleErrors.push(`${page.url()}: ${error}`);
  page.on('console', onConsole).on('pageerror', onError);
  return {
    stop: () => {
      page.off('console', onConsole).off('pageerror', onError);
      return consoleErrors;
    },
  };
}

/** Screens that request more data after loading, and why. */
const ASK_LATER: readonly [address: RegExp, asks: RegExp, why: string][] = [
  [/^\/(\?|$)/, /\/groups\/\d+\/words\?/, 'the words of a class stand below all charts, and are dearer than the rest'],
  [/^\/classes\/\d+\?add=existing$/, /\/readers\?.*groups=none/, 'a dialog opens at once, and then asks'],
  [/^\/(school\/readers|payment-required|fill-billing-details|feedback\/.*)$/, /./, 'leads elsewhere'],
  [/^\/admin\b/, /./, 'operators are few, and their screens are rendered without first queries'],
];

/**
 * Collects API requests of a page that already has its data. Requests without a click belong in the screen's first queries.
 */
export function listenForReads(page: Page, path: string): { stop: () => string[] } {
  const reads: string[] = [];
  const onRequest = (request: Request) => {
    const { pathname, search } = new URL(request.url());
    const url = pathname + search;
    if (request.method() !== 'GET' || !pathname.startsWith('/v1/')) return;
    if (!ASK_LATER.some(([address, asks]) => address.test(path) && asks.test(url))) reads.push(`${path}: ${url}`);
  };
  page.on('request', onRequest);
  return {
    stop: () => {
      page.off('request', onRequest);
      return reads;
    },
  };
}
