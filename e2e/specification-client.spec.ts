import { expect, test } from './portal.ts';
import { comeBackLater } from './specification-client/later-states.ts';
import { leave, manageAccount } from './specification-client/account.ts';
import { manageSubscription } from './specification-client/billing.ts';
import { assignBooks, followReading, openLinks, readBook } from './specification-client/books.ts';
import { calls } from './specification-client/calls.ts';
import { manageClasses } from './specification-client/classes.ts';
import { Journey } from './specification-client/journey.ts';
import { needs } from './specification-client/needs.ts';
import { registerUserAndSchool, setUpSchool } from './specification-client/registration.ts';
import { inviteTeachers, manageStaff } from './specification-client/staff.ts';

test('a client written from the specifications alone runs a school with all their calls', async ({ portal }) => {
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
  await comeBackLater(journey, await setUpSchool(journey));
  await leave(journey, school);

  expect([...journey.made].sort(), 'the calls that were made').toEqual(Object.keys(calls).sort());
  expect([...journey.met].sort(), 'the needs that were met').toEqual(Object.keys(needs).sort());
});
