import { readFileSync } from 'node:fs';
import { matchPath } from 'react-router';
import { expect, it } from 'vitest';
import { paths } from './paths.ts';
import { screens } from './routes.tsx';

/** The server answers it itself, and leads on to a provider. */
const SERVED = 'signIn';

const built = [
  ...Object.entries(paths)
    .filter(([name]) => name !== SERVED)
    .map(
      ([name, build]) =>
        [
          name,
          (build as (...ids: string[]) => string)(...[':one', ':two'].slice(0, build.length)).split('?')[0]!,
        ] as const,
    ),
  ['pupil outside a class', paths.pupil(':one')] as const,
  ['pupilBooks outside a class', paths.pupilBooks(':one')] as const,
  ['newSubjectRequest of a kind', paths.newSubjectRequest({ kind: 'access' })] as const,
];

it.each(built)('the path of %s belongs to a screen: %s', (_name, address) => {
  expect(screens.some(({ path }) => path !== '*' && matchPath(path, address))).toBe(true);
});

it('has a path for every screen', () => {
  const unreachable = screens.filter(
    ({ path }) => path !== '*' && !built.some(([, address]) => matchPath(path, address)),
  );
  expect(unreachable).toEqual([]);
});

it('names each path once', () => {
  expect(new Set(screens.map(({ path }) => path)).size).toBe(screens.length);
});

it('has a description for each page that robots.txt allows, and for no other', () => {
  const robots = readFileSync(new URL('../public/robots.txt', import.meta.url), 'utf8');
  expect(robots).toMatch(/^Disallow: \/$/m);
  const opened = [...robots.matchAll(/^Allow: (\S+)\$$/gm)].map(([, path]) => path);
  expect(opened).toEqual(screens.filter(({ description }) => description).map(({ path }) => path));
});

it('allows search engines no page of a signed-in user', () => {
  const found = screens.filter(({ description }) => description);
  expect(found.every(({ access }) => access === 'guest' || access === 'open')).toBe(true);
});

/** The screens of the specification, each with its page. */
const PAGES = {
  plain: `
/login LoginPage
/logout LogoutPage
/register RegisterPage
/register-school RegisterSchoolPage
/forgotten ForgottenPage
/password/forgotten ForgottenPage
/password/reset ResetPasswordPage
/invite/:id InvitePage
/subscription/:action SubscriptionStepPage
/token/:token LogInAsPage
/setup/:token SetUpPage
/select-subscription SelectSubscriptionPage
/fill-billing-details FillBillingDetailsPage
/feedback/:contact_email? FeedbackPage
/thanks ThanksPage
/payment-required PaymentRequiredPage
/setup NewPasswordPage
/confirm/details ConfirmDetailsPage
/confirm/eula ConfirmEulaPage
`,
  main: `
/ DashboardPage
/subscription SubscriptionPage
/account AccountPage
/school SchoolPage
/edit-school EditSchoolPage
/school/add-readers AddPupilsPage
/school/readers ToPupilsPage
/pupils PupilsPage
/pupils/:id PupilPage
/classes/:classId/pupils/:id PupilPage
/pupils/:id/books PupilLibraryPage
/classes/:classId/pupils/:id/books PupilLibraryPage
/pupils/:id/books/:bookId PupilBookPage
/teachers TeachersPage
/add-teacher AddTeacherPage
/classes ClassesPage
/classes/:id ClassPage
/classes/:classId/add-readers AddPupilsPage
/classes/:classId/books ClassLibraryPage
/overview OverviewPage
/userguide UserGuidePage
/userguide/:tabId/:itemId UserGuidePage
/videoguides VideoGuidesPage
/templates TemplatesPage
/faq FaqPage
/faq/:faqId FaqPage
/contact ContactPage
* NotFoundPage
`,
};
const pageRows = Object.entries(PAGES).flatMap(([frame, lines]) =>
  lines
    .trim()
    .split('\n')
    .map((line) => [...line.split(' '), frame] as [path: string, page: string, frame: string]),
);

it.each(pageRows)('%s shows %s in the %s frame', async (path, page, frame) => {
  const screen = screens.find((candidate) => candidate.path === path);
  expect([(await screen?.load())?.default.name, screen?.frame]).toEqual([page, frame]);
});
