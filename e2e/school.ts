import { randomUUID } from 'node:crypto';
import { callApi, confirmAddress, expect, mailedLink, PASSWORD, tokenOf } from './portal.ts';
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

interface SchoolPlan {
  /** Pupils' names by class name. */
  classes?: Record<string, readonly string[]>;
  /** First and last name of a teacher who has joined. */
  teacher?: readonly [first: string, last: string];
}

interface Created {
  readers: { id: number; name: string; group: { id: number; name: string } | null }[];
  links: { spreadsheet: string } | null;
}

/** Registers a school with its address, accepted terms, classes and pupils (at most thirty, as in a trial). */
export async function buildSchool(portal: Portal, { classes = {}, teacher }: SchoolPlan = {}): Promise<School> {
  const name = `Oak Row Primary ${randomUUID().slice(0, 8)}`;
  const addressOf = (person: string) => `${person}@${name.toLowerCase().replaceAll(' ', '-')}.example`;
  const admin = addressOf('head');
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

/** Registers an operator, also with `PASSWORD`, and returns the address. */
export async function addOperator(portal: Portal, name: string): Promise<string> {
  const [first_name, last_name] = name.split(' ');
  const email = `${randomUUID().slice(0, 8)}@company.example`;
  const person = { first_name, last_name, email, password: PASSWORD, user_type: 'standard' };
  await callApi(portal, 'POST', '/users', person);
  await confirmAddress(portal, email);
  expect(await portal.operator('add', email)).toContain('is now an operator');
  return email;
}

async function addTeacher(
  portal: Portal,
  { id, admin, token, teacher }: School,
  [first_name, last_name]: readonly [string, string],
): Promise<void> {
  const account = { first_name, last_name, email: teacher, password: PASSWORD };
  const { meta } = await callApi<{ meta: { token: string } }>(portal, 'POST', '/users', account);
  await confirmAddress(portal, admin);
  const sent = { email: [teacher], name: [`${first_name} ${last_name}`] };
  await callApi(portal, 'POST', `/enterprises/${id}/invites`, sent, token);
  const invite = (await mailedLink(portal, teacher, '/invite/')).split('/').at(-1);
  await callApi(portal, 'POST', `/enterprises/invites/${invite}/accept`, undefined, meta.token);
}
