import { readFileSync } from 'node:fs';
import { matchPath, matchRoutes } from './shared/router.ts';
import { expect, it } from 'vitest';
import contents from '#content/help/contents.json' with { type: 'json' };
import { paths } from './paths.ts';
import { screens } from './routes.tsx';
import { pages } from './testing/pages.ts';

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
  expect(pages.some(({ path }) => path !== '*' && matchPath(path, address))).toBe(true);
});

it('has a path for every screen', () => {
  const unreachable = pages.filter(
    ({ path }) => path !== '*' && !built.some(([, address]) => matchPath(path, address)),
  );
  expect(unreachable).toEqual([]);
});

it('names each path once', () => {
  expect(new Set(pages.map(({ path }) => path)).size).toBe(pages.length);
});

it.each([
  ['/logout', 'LogoutPage', 'plain'],
  ['/register-school', 'RegisterSchoolPage', 'plain'],
  ['/subscription/:action', 'SubscriptionStepPage', 'plain'],
  ['/token/:token', 'LogInAsPage', 'plain'],
  ['/setup/:token', 'SetUpPage', 'plain'],
  ['/select-subscription', 'SelectSubscriptionPage', 'plain'],
  ['/fill-billing-details', 'FillBillingDetailsPage', 'plain'],
  ['/feedback/:contact_email?', 'FeedbackPage', 'plain'],
  ['/thanks', 'ThanksPage', 'plain'],
  ['/payment-required', 'PaymentRequiredPage', 'plain'],
  ['/setup', 'NewPasswordPage', 'plain'],
  ['/school-sign-in', 'SchoolSignInPage', 'plain'],
  ['/confirm/details', 'ConfirmDetailsPage', 'plain'],
  ['/confirm/eula', 'ConfirmEulaPage', 'plain'],
  ['/subscription', 'SubscriptionPage', 'main'],
  ['/lowest-fifth', 'LowestFifthPage', 'main'],
])('%s shows %s in the %s frame', async (path, page, frame) => {
  const screen = screens.find((candidate) => candidate.path === path);
  expect([(await screen?.load())?.default.name, screen?.frame]).toEqual([page, frame]);
});

it('has a description for each page that robots.txt allows, and for no other', () => {
  const robots = readFileSync(new URL('../public/robots.txt', import.meta.url), 'utf8');
  expect(robots).toMatch(/^Disallow: \/$/m);
  const opened = [...robots.matchAll(/^Allow: (\S+)\$$/gm)].map(([, path]) => path);
  const described = pages.filter(({ description }) => description).map(({ path }) => path);
  expect(opened.toSorted()).toEqual(described.toSorted());
});

it('allows search engines no page of a signed-in user', () => {
  const found = pages.filter(({ description }) => description);
  expect(found.every(({ access }) => access === 'guest' || access === 'open')).toBe(true);
});

it('a section of the user guide explains each screen outside the help area', () => {
  const sections = contents.tabs.flatMap(({ items }) => items);
  const explained = sections.flatMap((section): string[] => section.screens);
  // Leads on to /pupils.
  const leading = '/school/readers';
  const inMenu = screens.filter(({ frame, area, path }) => frame === 'main' && area !== 'help' && path !== leading);
  expect(inMenu.map(({ path }) => path).filter((path) => path !== '*' && !explained.includes(path))).toEqual([]);
  expect(explained.filter((path) => !screens.some((screen) => screen.path === path))).toEqual([]);
});

/** The screens for running a school, as the specification lists them, and the component that shows each. */
const SCHOOL_SCREENS: Record<string, string[]> = {
  DashboardPage: ['/'],
  AccountPage: ['/account'],
  SchoolPage: ['/school'],
  EditSchoolPage: ['/edit-school'],
  TeachersPage: ['/teachers'],
  AddTeacherPage: ['/add-teacher'],
  ClassesPage: ['/classes'],
  ClassPage: ['/classes/:id'],
  AddPupilsPage: ['/classes/:classId/add-readers', '/school/add-readers'],
  ToPupilsPage: ['/school/readers'],
  PupilsPage: ['/pupils'],
  PupilPage: ['/pupils/:id', '/classes/:classId/pupils/:id'],
  PupilLibraryPage: ['/pupils/:id/books', '/classes/:classId/pupils/:id/books'],
  PupilBookPage: ['/pupils/:id/books/:bookId'],
  ClassLibraryPage: ['/classes/:classId/books'],
  OverviewPage: ['/overview'],
  UserGuidePage: ['/userguide', '/userguide/:tabId/:itemId'],
  VideoGuidesPage: ['/videoguides'],
  TemplatesPage: ['/templates'],
  FaqPage: ['/faq', '/faq/:faqId'],
  ContactPage: ['/contact'],
  NotFoundPage: ['*'],
};

it.each(Object.entries(SCHOOL_SCREENS).flatMap(([name, list]) => list.map((path) => [path, name] as const)))(
  '%s is a screen of the main layout with the component %s',
  async (path, name) => {
    const screen = screens.find((candidate) => candidate.path === path);
    expect(screen?.frame).toBe('main');
    expect((await screen?.load())?.default.name).toBe(name);
  },
);

it.each(['/no/such/page', '/school/no-page', '/pupils/1/2/3/4', '/classes/1/no-page'])(
  'the address %s, which no screen has, leads to the fallback page',
  (address) => {
    expect(
      matchRoutes(
        screens.map(({ path }) => ({ path })),
        address,
      )?.map(({ route }) => route.path),
    ).toEqual(['*']);
  },
);
