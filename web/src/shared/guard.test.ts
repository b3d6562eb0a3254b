import { matchPath } from './router.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { User } from '#contract/calls/access.ts';
import { pages as screens } from '../testing/pages.ts';
import { ASSIGNABLE_ROLES, type Role, ROLES } from '#contract/permissions.ts';
import { OPEN_AREAS, type SchoolAccess } from '#contract/school-access.ts';
import { guard, homeFor, safeRedirect, startOf } from './guard.ts';

const person: User = {
  id: 1,
  first_name: 'Helen',
  last_name: 'Ashworth',
  full_name: 'Helen Ashworth',
  email: 'h@school.example',
  user_type: 'enterprise',
  enterprise_id: 7,
  enterprise: { id: 7, name: 'Willowbank', terms_accepted_at: '2026-01-01T00:00:00.000Z' },
  enterprise_user_role: 'admin',
  role: 'admin',
  covers: [],
  memberships: [{ enterprise: { id: 7, name: 'Willowbank' }, enterprise_user_role: 'admin', role: 'admin' }],
  require_password_reset: false,
  email_confirmation_due_at: null,
  require_email_confirmation: false,
  require_provider: false,
  pending_email: null,
  pending_email_due_at: null,
  weekly_school_digest_optin_at: null,
  readers: [],
  impersonated_by: null,
  is_operator: false,
  second_factor_due_on: null,
};
const session = (changes: Partial<User> = {}) => ({ key: 't', user: { ...person, ...changes } });

/** Where a visitor of this path of the table ends up; the path itself when nothing is in the way. */
function visit(path: string, who: ReturnType<typeof session> | null, search = ''): string {
  const screen = screens.find((candidate) => candidate.path === path);
  if (!screen) throw new Error(`no screen ${path}`);
  return guard(screen, { pathname: path, search }, who) ?? path;
}

it.each(['/edit-school', '/school/add-readers', '/classes/:classId/add-readers', '/add-teacher', '/year-end'])(
  '%s, which only changes data, is not open in a closed school',
  (path) => {
    const screen = screens.find((candidate) => candidate.path === path)!;
    const visitAs = (access: 'open' | 'closed') =>
      guard(screen, { pathname: path, search: '' }, session(), { user_manages: true, access });
    expect([visitAs('open'), visitAs('closed')]).toEqual([null, '/']);
  },
);

describe('guests', () => {
  it('a guest logs in first and then returns to the page that they wanted', () => {
    expect(visit('/pupils', null, '?page=2')).toBe('/login?redirect=%2Fpupils%3Fpage%3D2');
    expect(visit('/', null)).toBe('/login');
    expect(visit('/setup', null)).toBe('/login?redirect=%2Fsetup');
  });
  it.each([
    '/login',
    '/register',
    '/register-school',
    '/forgotten',
    '/password/forgotten',
    '/password/reset',
    '/setup/:token',
    '/token/:token',
    '/invite/:id',
    '/supply',
    '/logout',
    '*',
  ])('may open %s', (path) => {
    expect(visit(path, null)).toBe(path);
  });
});

describe('guests whose log out has not arrived', () => {
  beforeEach(() => vi.stubGlobal('document', { cookie: 'scheme=dark; log-out=1' }));
  beforeEach(() => vi.stubGlobal('window', { location: new URL('http://localhost:8080/') }));
  afterEach(() => vi.unstubAllGlobals());
  it.each([
    ['/pupils', '?page=2', '/logout?redirect=%2Fpupils%3Fpage%3D2'],
    ['/', '', '/logout'],
    ['/login', '?action=decline', '/logout?action=decline'],
    ['/register', '', '/logout'],
    ['/logout', '', '/logout'],
    ['/admin', '', '/admin'],
  ])('go from %s%s to %s', (path, search, to) => {
    expect(visit(path, null, search)).toBe(to);
  });
  it('a guest whose log out has not arrived is a user again after a login in another tab', () => {
    expect(visit('/pupils', session())).toBe('/pupils');
  });
});

describe('signed-in people', () => {
  it.each(['/login', '/register', '/forgotten', '/password/forgotten', '/register-school'])(
    'are redirected from %s',
    (path) => {
      expect(visit(path, session())).toBe('/');
    },
  );
  it('a reset link leads a signed-in user to the subscription, with its query', () => {
    expect(visit('/password/reset', session(), '?token=abc')).toBe('/subscription?token=abc');
  });
  it('signed-in users open the screens to which they have a right', () => {
    expect(visit('/subscription', session())).toBe('/subscription');
    expect(visit('/subscription', session({ enterprise_user_role: 'teacher', role: 'teacher' }))).toBe('/');
    expect(visit('/add-teacher', session({ enterprise_user_role: 'teacher', role: 'teacher' }))).toBe('/');
    expect(visit('/pupils', session({ enterprise_user_role: 'teacher', role: 'teacher' }))).toBe('/pupils');
  });
});

describe('a user who missed the deadline for confirming their address', () => {
  const unconfirmed = session({ require_email_confirmation: true });
  const schoolless = session({ require_email_confirmation: true, enterprise: null, enterprise_id: null });
  it.each(['/', '/pupils', '/account', '/select-subscription', '/admin'])(
    'is redirected from %s to the account',
    (path) => {
      for (const who of [unconfirmed, schoolless]) expect(visit(path, who)).toBe('/account');
    },
  );
  it('a user who missed the deadline for confirming their address can still open links and log out', () => {
    for (const path of ['/confirm/email/:token', '/logout', '/invite/:id']) expect(visit(path, unconfirmed)).toBe(path);
    expect(visit('/register-school', schoolless)).toBe('/');
  });
});

describe('a user who must sign in at a provider of the school', () => {
  const waiting = session({ require_provider: true });
  it.each(['/pupils', '/account', '/account/security', '/account/schools', '/school/appoint-admin'])(
    'is redirected from %s, with the way back',
    (path) => {
      expect(visit(path, waiting, '?page=2')).toBe(`/school-sign-in?redirect=${encodeURIComponent(`${path}?page=2`)}`);
    },
  );
  it('reads how the last sign-in ended', () => {
    expect(visit('/account/security', waiting, '?sign-in=taken')).toBe('/school-sign-in?sign-in=taken');
    expect(visit('/login', waiting, '?sign-in=unavailable&redirect=%2Fpupils')).toBe(
      '/school-sign-in?sign-in=unavailable&redirect=%2Fpupils',
    );
    expect(visit('/', waiting)).toBe('/school-sign-in');
    expect(visit('/school-sign-in', waiting, '?sign-in=taken')).toBe('/school-sign-in');
  });
  it('chooses a password and confirms the address first', () => {
    expect(visit('/', session({ require_provider: true, require_password_reset: true }))).toBe('/setup');
    expect(visit('/', session({ require_provider: true, require_email_confirmation: true }))).toBe('/account');
    expect(visit('/school-sign-in', session({ require_provider: true, require_email_confirmation: true }))).toBe('/');
  });
  it('can still log out and open links', () => {
    for (const path of ['/logout', '/invite/:id', '/confirm/email/:token']) expect(visit(path, waiting)).toBe(path);
  });
});

it.each(['none', 'expired', 'closed', 'support', 'locked'] as const)(
  'a user can always leave a school in the state %s for another of theirs',
  (access) => {
    const path = '/account/schools';
    const screen = screens.find((candidate) => candidate.path === path)!;
    expect(guard(screen, { pathname: path, search: '' }, session(), { user_manages: true, access })).toBeNull();
  },
);

it('a user who missed the deadline for confirming their address can switch school', () => {
  expect(visit('/account/schools', session({ require_email_confirmation: true }))).toBe('/account/schools');
});

describe('a user who must choose a new password', () => {
  const resetting = session({
    require_password_reset: true,
    enterprise: { ...person.enterprise!, terms_accepted_at: null },
  });
  it('a user who must choose a new password is redirected to /setup', () => {
    expect(visit('/pupils', resetting)).toBe('/setup');
    expect(visit('/confirm/details', resetting)).toBe('/setup');
    expect(visit('/setup', resetting)).toBe('/setup');
  });
  it.each(['/logout', '/setup/:token', '/token/:token'])(
    'a user who must choose a new password can still open %s',
    (path) => {
      expect(visit(path, resetting)).toBe(path);
    },
  );
});

describe('a user whose school has not accepted the terms', () => {
  const unaccepting = session({ enterprise: { ...person.enterprise!, terms_accepted_at: null } });
  it('a user whose school has not accepted the terms is redirected to the confirmation', () => {
    expect(visit('/', unaccepting)).toBe('/confirm/details');
    expect(visit('/select-subscription', unaccepting)).toBe('/confirm/details');
    expect(visit('/confirm/details', unaccepting)).toBe('/confirm/details');
    expect(visit('/confirm/eula', unaccepting)).toBe('/confirm/eula');
  });
});

describe('the staff of a school', () => {
  const at = (path: string, access: 'open' | 'none' | 'expired' | 'locked') => {
    const screen = screens.find((candidate) => candidate.path === path);
    if (!screen) throw new Error(`no screen ${path}`);
    return guard(screen, { pathname: path, search: '' }, session(), { user_manages: true, access });
  };
  const memberScreens = screens.filter(({ access: who }) => who === 'member' || who === 'account');
  it.each([
    ['none', '/select-subscription'],
    ['expired', '/select-subscription?show_sp_link=false'],
    ['locked', '/payment-required?show_sp_link=false'],
  ] as const)('reach billing, account, help and their duties in the state %s, and otherwise %s', (access, to) => {
    const open = memberScreens.filter(({ path }) => at(path, access) === null).map(({ path }) => path);
    expect(open.sort()).toEqual([
      '/account',
      '/account/security',
      '/contact',
      '/faq',
      '/faq/:faqId',
      '/feedback/:contact_email?',
      '/fill-billing-details',
      '/logins/:id',
      '/overview',
      '/payment-required',
      '/pupils/archive',
      '/pupils/logins',
      '/school',
      '/school/appoint-admin',
      '/school/changes',
      '/school/data',
      '/school/data/documents/:name',
      '/school/data/requests',
      '/school/data/requests/:id',
      '/school/data/requests/new',
      '/school/data/requests/new/:kind',
      '/select-subscription',
      '/subscription',
      '/teachers',
      '/templates',
      '/thanks',
      '/userguide',
      '/userguide/:tabId/:itemId',
      '/videoguides',
    ]);
    for (const { path } of memberScreens)
      if (!open.includes(path)) expect([path, at(path, access)]).toEqual([path, to]);
    expect(at('/logout', access)).toBeNull();
  });
  it('staff reach every screen while the school is open', () => {
    for (const { path } of memberScreens) expect([path, at(path, 'open')]).toEqual([path, null]);
  });
});

describe('a user without a school', () => {
  const newcomer = { enterprise_id: null, enterprise: null, enterprise_user_role: null, role: null };
  it('a user without a school registers a school', () => {
    expect(visit('/pupils', session(newcomer))).toBe('/register-school');
    expect(visit('/register-school', session(newcomer))).toBe('/register-school');
  });
  it('a user without a school is warned when the account is not for schools', () => {
    expect(visit('/', session({ ...newcomer, user_type: 'standard' }))).toBe('/subscription/warning');
  });
});

/**
 * Each kind of visitor at each screen: `·` it opens, otherwise where they land; `login` is /login with the way back.
 * As the specification has it in its table of screens and its section on the route guard.
 */
const TABLE = `
                                    guest  admin          teacher        held    terms             newcomer          standard               operator
/login                              ·      /              /              /       /                 /                 /                      /
/logout                             ·      ·              ·              ·       ·                 ·                 ·                      ·
/login/second-step                  ·      /              /              /       /                 /                 /                      /
/login/passkey                      ·      /              /              /       /                 /                 /                      /
/supply                             ·      ·              ·              ·       ·                 ·                 ·                      ·
/login/enrolment                    ·      ·              ·              ·       ·                 ·                 ·                      ·
/register                           ·      /              /              /       /                 /                 /                      /
/register-school                    ·      /              /              /       /                 ·                 ·                      ·
/forgotten                          ·      /              /              /       /                 /                 /                      /
/password/forgotten                 ·      /              /              /       /                 /                 /                      /
/password/reset                     ·      /subscription  /subscription  /subscription /subscription /subscription   /subscription          /subscription
/invite/:id                         ·      ·              ·              ·       ·                 ·                 ·                      ·
/subscription/:action               ·      ·              ·              ·       ·                 ·                 ·                      ·
/token/:token                       ·      ·              ·              ·       ·                 ·                 ·                      ·
/invoices/:token                    ·      ·              ·              ·       ·                 ·                 ·                      ·
/accessibility                      ·      ·              ·              ·       ·                 ·                 ·                      ·
/confirm/email/:token               ·      ·              ·              ·       ·                 ·                 ·                      ·
/email-change/:token                ·      ·              ·              ·       ·                 ·                 ·                      ·
/end-session/:token                 ·      ·              ·              ·       ·                 ·                 ·                      ·
/setup/:token                       ·      ·              ·              ·       ·                 ·                 ·                      ·
/account/schools                    login  ·              ·              /setup  ·                 /register-school  /subscription/warning  /subscription/warning
/account/schools/join/:inviteId     login  ·              ·              /setup  ·                 /register-school  /subscription/warning  /subscription/warning
/admin                              ·      /              /              /setup  /                 /                 /                      ·
/admin/schools/:id                  ·      /              /              /setup  /                 /                 /                      ·
/admin/invoices                     ·      /              /              /setup  /                 /                 /                      ·
/admin/subscriptions                ·      /              /              /setup  /                 /                 /                      ·
/admin/packages                     ·      /              /              /setup  /                 /                 /                      ·
/admin/levels                       ·      /              /              /setup  /                 /                 /                      ·
/admin/revenue                      ·      /              /              /setup  /                 /                 /                      ·
/admin/background-work              ·      /              /              /setup  /                 /                 /                      ·
/admin/retention                    ·      /              /              /setup  /                 /                 /                      ·
/setup                              login  ·              ·              ·       ·                 ·                 ·                      ·
/school-sign-in                     login  /              /              /setup  /                 /                 /                      /
/confirm/details                    login  /              /              /setup  ·                 /register-school  /subscription/warning  /subscription/warning
/confirm/eula                       login  /              /              /setup  ·                 /register-school  /subscription/warning  /subscription/warning
/fill-billing-details               login  ·              /              /setup  /confirm/details  /register-school  /subscription/warning  /subscription/warning
/subscription                       login  ·              /              /setup  /confirm/details  /register-school  /subscription/warning  /subscription/warning
/add-teacher                        login  ·              /              /setup  /confirm/details  /register-school  /subscription/warning  /subscription/warning
/lowest-fifth                       login  ·              /              /setup  /confirm/details  /register-school  /subscription/warning  /subscription/warning
/year-end                           login  ·              /              /setup  /confirm/details  /register-school  /subscription/warning  /subscription/warning
/school/changes                     login  ·              /              /setup  /confirm/details  /register-school  /subscription/warning  /subscription/warning
/school/records                     login  ·              /              /setup  /confirm/details  /register-school  /subscription/warning  /subscription/warning
/school/records/:runId              login  ·              /              /setup  /confirm/details  /register-school  /subscription/warning  /subscription/warning
/school/data                        login  ·              /              /setup  /confirm/details  /register-school  /subscription/warning  /subscription/warning
/school/data/requests               login  ·              /              /setup  /confirm/details  /register-school  /subscription/warning  /subscription/warning
/school/data/requests/new           login  ·              /              /setup  /confirm/details  /register-school  /subscription/warning  /subscription/warning
/school/data/requests/new/:kind     login  ·              /              /setup  /confirm/details  /register-school  /subscription/warning  /subscription/warning
/school/data/requests/:id           login  ·              /              /setup  /confirm/details  /register-school  /subscription/warning  /subscription/warning
/school/data/documents/:name        login  ·              /              /setup  /confirm/details  /register-school  /subscription/warning  /subscription/warning
/licence                            ·      ·              ·              ·       ·                 ·                 ·                      ·
/terms                              ·      ·              ·              ·       ·                 ·                 ·                      ·
/accessibility                      ·      ·              ·              ·       ·                 ·                 ·                      ·
/confirm/email/:token               ·      ·              ·              ·       ·                 ·                 ·                      ·
/privacy                            ·      ·              ·              ·       ·                 ·                 ·                      ·
/accessibility                      ·      ·              ·              ·       ·                 ·                 ·                      ·
*                                   ·      ·              ·              ·       ·                 ·                 ·                      ·
`;
/**
 * Screens for every signed-in user whose school is set up. /edit-school itself redirects users who may not edit to /school.
 */
const MEMBERS = `
/select-subscription /feedback/:contact_email? /thanks /payment-required
/ /account /account/security /school /school/tablets /edit-school /school/add-readers /school/readers /pupils /pupils/:id /classes/:classId/pupils/:id /pupils/:id/books
/classes/:classId/pupils/:id/books /pupils/:id/books/:bookId /pupils/logins /pupils/archive /pupils/lists /pupils/lists/:runId /logins/:id /teachers /school/appoint-admin /classes /classes/:id /classes/:classId/add-readers
/classes/:classId/books /overview /userguide /userguide/:tabId/:itemId /videoguides /templates /faq /faq/:faqId /contact
`;
const MEMBER_ROW = '· · /setup /confirm/details /register-school /subscription/warning /subscription/warning'.split(
  ' ',
);

const none = { enterprise_id: null, enterprise: null, enterprise_user_role: null, role: null } as const;
const unaccepted = { ...person.enterprise!, terms_accepted_at: null };
const visitors: Record<string, ReturnType<typeof session> | null> = {
  guest: null,
  admin: session(),
  teacher: session({ enterprise_user_role: 'teacher', role: 'teacher' }),
  held: session({ require_password_reset: true, enterprise: unaccepted }),
  terms: session({ enterprise: unaccepted }),
  newcomer: session(none),
  standard: session({ ...none, user_type: 'standard' }),
  operator: session({ ...none, user_type: 'standard', is_operator: true }),
};

describe('each visitor at each screen', () => {
  const [head = '', ...lines] = TABLE.trim().split('\n');
  const kinds = head.trim().split(/\s+/);
  const rows = new Map(lines.map((line) => line.trim().split(/\s+/)).map(([path = '', ...ends]) => [path, ends]));
  for (const path of MEMBERS.trim().split(/\s+/)) rows.set(path, ['login', ...MEMBER_ROW]);

  it('the table of visitors and screens covers every screen', () => {
    expect(kinds).toEqual(Object.keys(visitors));
    expect([...rows.keys()].sort()).toEqual(screens.map(({ path }) => path).sort());
    expect([...rows].filter(([, ends]) => ends.length !== kinds.length)).toEqual([]);
  });

  it.each([...rows].flatMap(([path, ends]) => kinds.map((kind, index) => [kind, path, ends[index]!] as const)))(
    '%s at %s: %s',
    (kind, path, end) => {
      const landed = visit(path, visitors[kind]!);
      const login = path === '/' ? '/login' : `/login?redirect=${encodeURIComponent(path)}`;
      expect(landed).toBe(end === '·' ? path : end === 'login' ? login : end);
    },
  );

  it.each(kinds)('%s is never redirected in a loop', (kind) => {
    for (const { path } of screens) {
      const seen: string[] = [];
      let at = path;
      while (!seen.includes(at)) {
        seen.push(at);
        const known =
          screens.find((screen) => screen.path === at) ??
          screens.find((screen) => matchPath(screen.path, at.split('?')[0]!));
        at = guard(known!, { pathname: at, search: '' }, visitors[kind]!) ?? at;
      }
      expect(seen.at(-1), `${kind} from ${path}: ${seen.join(' > ')}`).toBe(at);
    }
  });
});

const STATES = Object.keys(OPEN_AREAS) as SchoolAccess[];
const COVER = { group_id: 4, ends_at: '2026-11-27T15:30:00.000Z' };
const as = (role: Role, covers = role === 'supply_teacher' ? [COVER] : []) =>
  session({ role, enterprise_user_role: role === 'admin' ? 'admin' : 'teacher', covers });

/** Where a member of an open school, or one in another state, ends up, and each step on the way. */
function follow(path: string, role: Role, access: SchoolAccess): string[] {
  const seen: string[] = [];
  for (let at: string | null = path; at !== null && !seen.includes(at);) {
    seen.push(at);
    const [pathname = '', search = ''] = at.split(/(?=\?)/);
    const screen = screens.find((one) => one.path === at) ?? screens.find((one) => matchPath(one.path, pathname));
    const school = { user_manages: role === 'admin', access };
    at = guard(
      screen!,
      { pathname, search },
      as(role),
      'frame' in screen! && screen.frame === 'main' ? school : undefined,
    );
    if (at !== null && seen.includes(at)) throw new Error([...seen, at].join(' > '));
  }
  return seen;
}

describe('each role in each state of the school', () => {
  it.each([
    ['admin', '/'],
    ['teacher', '/'],
    ['reading_lead', '/'],
    ['teaching_assistant', '/'],
    ['business_manager', '/subscription'],
    ['data_protection_officer', '/school/data'],
    ['supply_teacher', '/classes/4'],
  ] as const)('the home of the role %s is %s, while the school is open and once it is closed', (role, home) => {
    const { user } = as(role);
    expect([homeFor(user), startOf('open', user), startOf('closed', user)]).toEqual([home, home, home]);
    for (const access of ['open', 'closed'] as const) expect(follow('/', role, access).at(-1)).toBe(home);
  });

  it.each([
    ['none', '/select-subscription'],
    ['expired', '/select-subscription?show_sp_link=false'],
    ['locked', '/payment-required?show_sp_link=false'],
    ['support', '/school'],
  ] as const)('the address / leads teachers in the state %s to %s', (access, start) => {
    expect(follow('/', 'teacher', access).at(-1)).toBe(start);
  });

  it.each(ROLES.flatMap((role) => STATES.map((access) => [role, access] as const)))(
    'a member with the role %s is never redirected in a loop in the state %s',
    (role, access) => {
      for (const { path } of screens) expect(() => follow(path, role, access)).not.toThrow();
    },
  );

  it.each([
    ['/school/changes', ['admin', 'data_protection_officer']],
    ['/school/data', ['admin', 'data_protection_officer']],
    ['/school/data/documents/:name', ['admin', 'data_protection_officer']],
    ['/school/data/requests/new', ['admin', 'data_protection_officer']],
    ['/school/records', ['admin']],
    ['/subscription', ['admin', 'business_manager']],
    ['/fill-billing-details', ['admin', 'business_manager']],
    ['/add-teacher', ['admin']],
    ['/', ['admin', 'teacher', 'reading_lead', 'teaching_assistant']],
    ['/pupils', ['admin', 'teacher', 'reading_lead', 'teaching_assistant', 'supply_teacher']],
    ['/school', ASSIGNABLE_ROLES],
    ['/teachers', ASSIGNABLE_ROLES],
    ['/account', ASSIGNABLE_ROLES],
    ['/account/security', ASSIGNABLE_ROLES],
    ['/account/schools', ASSIGNABLE_ROLES],
    ['/contact', ASSIGNABLE_ROLES],
    ['/overview', ROLES],
  ] as const)('%s is open to the roles %j only', (path, roles) => {
    expect(ROLES.filter((role) => follow(path, role, 'open').length === 1)).toEqual(roles);
  });
});

describe('a supply teacher', () => {
  it('a supply teacher who covers several classes, or none any more, starts with the list of classes', () => {
    const ofCovers = (...covers: (typeof COVER)[]) => homeFor(as('supply_teacher', covers).user);
    expect([ofCovers(COVER, { ...COVER, group_id: 5 }), ofCovers()]).toEqual(['/classes', '/classes']);
  });

  it('a supply teacher opens the classes, the pupils, their logins and the help, and no other screen', () => {
    const opened = screens.filter(({ path }) => follow(path, 'supply_teacher', 'open').length === 1);
    expect(opened.filter(({ access }) => access !== 'open').map(({ path }) => path)).toEqual([
      '/select-subscription',
      '/payment-required',
      '/school/tablets',
      '/school/readers',
      '/pupils',
      '/pupils/logins',
      '/pupils/:id',
      '/classes/:classId/pupils/:id',
      '/pupils/:id/books',
      '/classes/:classId/pupils/:id/books',
      '/pupils/:id/books/:bookId',
      '/logins/:id',
      '/classes',
      '/classes/:id',
      '/classes/:classId/books',
      '/overview',
      '/userguide',
      '/userguide/:tabId/:itemId',
      '/videoguides',
      '/templates',
      '/faq',
      '/faq/:faqId',
    ]);
  });
});

it.each([
  [null, '/'],
  ['', '/'],
  ['/pupils?page=2', '/pupils?page=2'],
  ['pupils', '/'],
  ['//evil.example', '/'],
  ['/\\evil.example', '/'],
  ['https://evil.example', '/'],
  ['/\t/evil.example', '/'],
  ['javascript:alert(1)', '/'],
])('goes from redirect %j to %s only', (wanted, to) => {
  expect(safeRedirect(wanted)).toBe(to);
});
