import { expect, PASSWORD, people, test } from './portal.ts';
import { callAsGuest, logOut, manageAccount } from './specification-client/account.ts';
import { manageSubscription } from './specification-client/billing.ts';
import { assignBooks, followReading, openLinks, readBook } from './specification-client/books.ts';
import { type CallName, calls } from './specification-client/calls.ts';
import { manageClasses } from './specification-client/classes.ts';
import { Journey } from './specification-client/journey.ts';
import { reachLaterStates } from './specification-client/later-states.ts';
import { type Need, needs } from './specification-client/needs.ts';
import { registerUserAndSchool, setUpSchool } from './specification-client/registration.ts';
import { inviteTeachers, manageStaff } from './specification-client/staff.ts';

test('a client written from the specifications alone can run a school with all their calls', async ({ portal }) => {
  const journey = await Journey.start(portal);
  const school = await registerUserAndSchool(journey);
  const teacher = await inviteTeachers(journey, school);
  const pupils = await manageClasses(journey, school, teacher);
  const book = await assignBooks(journey, school, pupils);
  await readBook(journey, await openLinks(journey, school, pupils), book);
  await followReading(journey, school, pupils, book);
  await manageSubscription(journey, school);
  await manageStaff(journey, school, teacher);
  await manageAccount(journey, school);
  await reachLaterStates(journey, await setUpSchool(journey));
  await callAsGuest(journey, school);
  await logOut(journey, school);

  const names = Object.keys(calls) as CallName[];
  expect(names, 'specified calls with a path').toHaveLength(57);
  expect(
    names.filter((name) => !journey.madeCalls.has(name)),
    'specified calls that the client never makes',
  ).toEqual([]);
  expect(
    (Object.keys(needs) as Need[]).filter((need) => !journey.metNeeds.has(need)),
    'needs that the client no longer has',
  ).toEqual([]);
});

test('the client of the specifications rejects calls and fields that they do not name', async ({ portal }) => {
  const client = (await Journey.start(portal)).client();
  await expect(client.call('GET users/me/sessions' as 'GET users/me', [])).rejects.toThrow(
    'the specifications name no call GET users/me/sessions',
  );
  await expect(
    client.call('POST auth', [], { email: 'a@b.example', password: 'x', remember: true } as never),
  ).rejects.toThrow('Unrecognized key: "remember"');
  const reply = await client.call('POST auth', [], { email: people.teacher, password: PASSWORD });
  expect(() => (reply.user as unknown as { is_operator: boolean }).is_operator).toThrow(
    'the specifications name no field is_operator in the reply of POST auth.user.',
  );
});
