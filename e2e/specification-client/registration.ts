import { randomUUID } from 'node:crypto';
import { expect, mailedLink, PASSWORD } from '../portal.ts';
import type { Client } from './client.ts';
import type { Journey } from './journey.ts';

export interface School {
  id: number;
  admin: Client;
  email: string;
}

type State = Awaited<ReturnType<typeof readState>>;

const CONTACT = {
  contact_name: 'Olive Oak',
  job_role: 'Head teacher',
  address_line_1: '3 Oak Row',
  postcode: 'EC1A 1BB',
  country_code: 'GBR',
  telephone: '+442079460000',
};

export const createAddress = (person: string): string => `${person}@stranger-${randomUUID().slice(0, 8)}.example`;

export const createContact = (email: string, type: 'primary' | 'billing') => ({ ...CONTACT, email, type });

/** Access 4: the call after every login, which decides what the client shows. */
export async function readState(journey: Journey, { id, admin }: School) {
  const { enterprise } = await admin.call('GET enterprises/{id}', [id], { include: 'invoices,readers' });
  if (!enterprise.invoices) throw journey.createError('the school has no invoices, which `include` names.');
  if (!enterprise.readers) {
    journey.outside('omittedReaders').replySchema('GET', '/v1/enterprises/{id}', 'meta', 'omitted');
    const reply = await admin.readDocumented('GET enterprises/{id}', [id], { include: 'invoices,readers' });
    expect(reply, 'what the school leaves out').toHaveProperty('meta.omitted', ['readers']);
  }
  return { ...enterprise, invoices: enterprise.invoices };
}

/** Access 4, "Access by state", for an admin who has accepted the terms. */
export function chooseScreen({ subscription, invoices }: State): string {
  if (!subscription || subscription.has_expired) return '/select-subscription';
  return invoices.meta.has_outstanding_invoice ? '/payment-required' : '/';
}

export async function confirmAddress(journey: Journey, client: Client, email: string): Promise<void> {
  const operation = journey.outside('confirmedAddress').findOperation('Access', /^Confirm an email address/);
  const token = (await mailedLink(journey.portal, email, '/confirm/email/')).split('/').at(-1);
  await client.callDocumented(operation, [], { token });
}

/** "body and response not shown": the OpenAPI document has both. */
export async function startTrial(journey: Journey, { id, admin }: School): Promise<void> {
  const path = '/v1/enterprises/{id}/subscriptions/trial';
  const operation = journey.outside('trialBody').describe('POST', path);
  expect(operation.required, 'fields that a trial needs').toEqual([]);
  const reply = await admin.callDocumented(operation, [id]);
  expect(reply).toHaveProperty('subscription.is_trial', true);
}

/** Registers a user and then the school, as "Account set-up sequence" and "Registration" describe. */
export async function registerUserAndSchool(journey: Journey): Promise<School> {
  const email = createAddress('head');
  const admin = journey.client();
  const school = await journey.step('Register a user and a school', async () => {
    const user = { first_name: 'Olive', last_name: 'Oak', email, password: PASSWORD, user_type: 'enterprise' as const };
    const { meta } = await admin.call('POST users', [], user);
    admin.useToken(meta.token);
    const { user: me } = await admin.call('GET users/me', []);
    expect(me.enterprise).toBeNull();
    const form = { name: 'Oak Row Primary', urn: '123456', type: 'school' as const };
    const { enterprise } = await admin.call('POST enterprises', [], form);
    return { id: enterprise.id, admin, email };
  });
  const { id } = school;

  await journey.step('Confirm the details and accept the terms', async () => {
    const { user: me } = await admin.call('GET users/me', []);
    expect(me.enterprise).toMatchObject({ id, terms_accepted_at: null });
    expect(me.enterprise_user_role).toBe('admin');
    await readState(journey, school);
    await admin.call('POST enterprises/{id}', [id], { name: 'Oak Row Primary School', urn: '123456', type: 'school' });
    await admin.call('POST enterprises/{id}/contacts', [id], { contact: createContact(email, 'primary') });
    await admin.call('POST enterprises/{id}/terms/accept', [id]);
    const state = await readState(journey, school);
    expect(state).toMatchObject({ name: 'Oak Row Primary School', urn: '123456', user_manages: true });
    expect(state.terms_accepted_at).not.toBeNull();
    expect(state.contacts.map(({ type, postcode }) => [type, postcode])).toContainEqual(['primary', 'EC1A 1BB']);
    expect(chooseScreen(state)).toBe('/select-subscription');
  });

  await journey.step('Choose the free trial', async () => {
    const { subscription } = await admin.call('GET enterprises/{id}/subscriptions', [id]);
    expect(subscription).toBeNull();
    const { packages } = await admin.call('GET enterprises/{id}/subscriptions/packages', [id]);
    const trial = packages.find(({ is_trial }) => is_trial);
    if (!trial) throw journey.createError('no package is a trial.');
    const offer = await admin.call('GET enterprises/{id}/packages/{packageId}', [id, trial.id]);
    expect(offer.package.title).toBe(trial.title);
    expect(offer.meta.is_upgrading).toBe(false);
    await startTrial(journey, school);
    const state = await readState(journey, school);
    expect(state.subscription?.is_trial).toBe(true);
    expect(state.readers).toEqual([]);
    expect(chooseScreen(state)).toBe('/');
  });
  return school;
}

/** One form for school, address and admin. */
export async function setUpSchool(journey: Journey): Promise<School> {
  return journey.step('Register a school with its admin in one call', async () => {
    const email = createAddress('setup');
    const admin = journey.client();
    const { enterprise } = await admin.call('POST enterprises/setup', [], {
      school: { name: 'Elm Row Primary', type: 'school' },
      contact: createContact(email, 'primary'),
      user: { first_name: 'Elma', last_name: 'Row', email, password: PASSWORD },
    });
    const school = { id: enterprise.id, admin, email };
    const user = await admin.logIn(email, PASSWORD);
    expect(user.enterprise?.id).toBe(school.id);
    if (!user.enterprise?.terms_accepted_at) await admin.call('POST enterprises/{id}/terms/accept', [school.id]);
    await startTrial(journey, school);
    expect(chooseScreen(await readState(journey, school))).toBe('/');
    return school;
  });
}
