import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import type { ReplyOf } from '#contract/call.ts';
import type { loginCardCalls } from '#contract/calls/login-cards.ts';
import { Secret, TOTP } from 'otpauth';
import { callApi, confirmAddress, expect, mailedLink, PASSWORD, submitLogin, tokenOf } from './portal.ts';
import type { Portal } from './server.ts';

/** A school for one journey, created through the API. */
export interface School {
  id: number;
  name: string;
  /** The admin's address. All passwords are `PASSWORD`. */
  admin: string;
  /** The admin's API token. */
  token: string;
  /** The teacher's address, if the plan has one. */
  teacher: string;
  /** IDs by name. */
  classes: Map<string, number>;
  pupils: Map<string, number>;
  /** The URLs of the pupils' logins. */
  spreadsheet: string | undefined;
}

export interface SchoolPlan {
  /** Pupils' names by class name. */
  classes?: Record<string, readonly string[]>;
  /** First and last name of a teacher who has joined. */
  teacher?: readonly [first: string, last: string];
}

interface Created {
  readers: { id: number; name: string; group: { id: number; name: string } | null }[];
  links: { spreadsheet: string } | null;
}

/** From one address, an hour permits thirty registrations. */
const MAX_REGISTRATIONS = 25;
const registrations = new WeakMap<Portal, number>();

async function countRegistration(portal: Portal): Promise<void> {
  const count = (registrations.get(portal) ?? 0) + 1;
  registrations.set(portal, count);
  if (count % MAX_REGISTRATIONS === 0) await portal.edit('delete from rate_limits');
}

/** Registers a school with a confirmed admin, its address, accepted terms, classes and pupils (at most thirty, as in a trial). */
export async function buildSchool(portal: Portal, { classes = {}, teacher }: SchoolPlan = {}): Promise<School> {
  const name = `Oak Row Primary ${randomUUID().slice(0, 8)}`;
  const addressOf = (person: string) => `${person}@${name.toLowerCase().replaceAll(' ', '-')}.example`;
  const admin = addressOf('head');
  await countRegistration(portal);
  const { enterprise } = await callApi<{ enterprise: { id: number } }>(portal, 'POST', '/enterprises/setup', {
    school: { name, type: 'school' },
    contact: {
      contact_name: 'Olive Oak',
      email: admin,
      address_line_1: '3 Oak Row',
      postcode: 'EC1A 1BB',
      telephone: '+442079460000',
    },
    user: {
      first_name: 'Olive',
      last_name: 'Oak',
      email: admin,
      password: PASSWORD,
      accept_eula: true,
      accepts_ts_and_cs: true,
    },
  });
  await portal.edit(`update users set email_confirmed_at = now() where email = '${admin}'`);
  const token = await tokenOf(portal, admin);
  await callApi(portal, 'POST', `/enterprises/${enterprise.id}/subscriptions/trial`, {}, token);
  const school: School = {
    id: enterprise.id,
    name,
    admin,
    token,
    teacher: addressOf('teacher'),
    classes: new Map(),
    pupils: new Map(),
    spreadsheet: undefined,
  };
  if (teacher) await addTeacher(portal, school, teacher);
  for (const className of Object.keys(classes)) {
    const path = `/enterprises/${school.id}/groups`;
    const { group } = await callApi<{ group: { id: number } }>(portal, 'POST', path, { name: className }, token);
    school.classes.set(className, group.id);
  }
  const readers = Object.entries(classes).flatMap(([group, names]) =>
    names.map((pupil) => ({ name: pupil, class: group })),
  );
  if (readers.length > 0) {
    const path = `/enterprises/${school.id}/readers`;
    const created = await callApi<Created>(portal, 'POST', path, { readers }, token);
    for (const pupil of created.readers) school.pupils.set(pupil.name, pupil.id);
    school.spreadsheet = created.links?.spreadsheet;
  }
  return school;
}

/** Sends a reading session of a pupil, by default from a minute ago, as the reading app does: page 2 of a book, 100 words. */
export async function sendReading(
  portal: Portal,
  { id, token, spreadsheet }: School,
  name: string,
  session: {
    book_id: number;
    last_page?: number;
    words_attempted?: number;
    started_at?: string;
    reading_time?: number;
    words_correct?: number;
    played_words?: string[];
  },
): Promise<void> {
  const link = /([^/]+)\.xlsx$/.exec(spreadsheet ?? '')?.[1];
  const path = `/enterprises/${id}/readers/created-logins`;
  const { logins } = await callApi<ReplyOf<typeof loginCardCalls.showCreatedLogins>>(
    portal,
    'POST',
    path,
    { token: link },
    token,
  );
  const login = logins.find((entry) => entry.name === name);
  const { meta } = await callApi<{ meta: { token: string } }>(portal, 'POST', '/reader/auth', {
    username: login?.username,
    password: login?.password,
  });
  const sent = {
    id: randomUUID(),
    started_at: new Date(Date.now() - 60_000).toISOString(),
    reading_time: 50,
    last_page: 2,
    words_attempted: 100,
    words_correct: 100,
    has_completed_book: false,
    heatmap: [],
    played_words: [],
    skipped_words: [],
    ...session,
  };
  await callApi(portal, 'POST', '/reader/sessions', { sessions: [sent] }, meta.token);
}

/** The unused recovery codes of operators, by address. */
const recoveryCodes = new Map<string, string[]>();

interface SecondStep {
  second_factor: { token: string };
}

/** Adds an authenticator app in the middle of a login, as the portal asks an operator. */
async function enrol(portal: Portal, email: string): Promise<void> {
  const login = await fetch(`${portal.url}/v1/auth`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: PASSWORD }),
  });
  const { token } = ((await login.json()) as SecondStep).second_factor;
  const path = '/auth/enrolment/authenticator';
  const { secret } = await callApi<{ secret: string }>(portal, 'POST', path, { token });
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
  const body = { token, code, name: 'Phone' };
  const added = await callApi<{ recovery_codes: string[] }>(portal, 'POST', `${path}/confirm`, body);
  recoveryCodes.set(email, added.recovery_codes);
}

/** A recovery code of an operator, which works once. */
export const takeRecoveryCode = (email: string): string => recoveryCodes.get(email)?.pop() ?? '';

/** Logs an operator in to the console. */
export async function logInAsOperator(page: Page, email: string, url = ''): Promise<void> {
  await page.goto(`${url}/admin`);
  await submitLogin(page, email);
  await page.getByLabel('Code').fill(takeRecoveryCode(email));
  await page.getByRole('button', { name: 'Log in' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Schools' })).toBeVisible();
}

/** Registers an operator, with `PASSWORD` and an authenticator app, and returns the address. */
export async function addOperator(portal: Portal, name: string): Promise<string> {
  const [first_name, last_name] = name.split(' ');
  const email = `${randomUUID().slice(0, 8)}@company.example`;
  const person = { first_name, last_name, email, password: PASSWORD, user_type: 'standard' };
  await callApi(portal, 'POST', '/users', person);
  await confirmAddress(portal, email);
  expect(await portal.operator('add', email)).toContain('is now an operator');
  await enrol(portal, email);
  return email;
}

async function addTeacher(
  portal: Portal,
  { id, token, teacher }: School,
  [first_name, last_name]: readonly [string, string],
): Promise<void> {
  const account = { first_name, last_name, email: teacher, password: PASSWORD };
  const { meta } = await callApi<{ meta: { token: string } }>(portal, 'POST', '/users', account);
  const sent = { email: [teacher], name: [`${first_name} ${last_name}`] };
  await callApi(portal, 'POST', `/enterprises/${id}/invites`, sent, token);
  const invite = (await mailedLink(portal, teacher, '/invite/')).split('/').at(-1);
  await callApi(portal, 'POST', `/enterprises/invites/${invite}/accept`, undefined, meta.token);
}
