import { expect, mailedLink, PASSWORD } from '../portal.ts';
import type { Client } from './client.ts';
import type { Journey } from './journey.ts';
import { confirmAddress, createAddress, type School } from './registration.ts';

export interface Teacher {
  id: number;
  client: Client;
}

/** The specified statuses of an invite, and the one that the product adds. */
function readStatus(journey: Journey, status: string): string {
  if (['pending', 'accepted', 'expired'].includes(status)) return status;
  const all = journey
    .outside('declinedStatus')
    .replySchema('GET', '/v1/enterprises/invites/{inviteId}', 'invite', 'status');
  if (!all.enum?.includes(status)) throw journey.createError(`an invite has the undocumented status ${status}.`);
  return status;
}

async function listStatuses(journey: Journey, { id, admin }: School): Promise<Map<string, string>> {
  const { invites } = await admin.call('GET enterprises/{id}/invites', [id]);
  return new Map(invites.map(({ email, status }) => [email, readStatus(journey, status)]));
}

async function findInviteId({ id, admin }: School, email: string): Promise<string | number> {
  const { invites } = await admin.call('GET enterprises/{id}/invites', [id]);
  const found = invites.find((invite) => invite.email === email);
  expect(found, `the invite of ${email}`).toMatchObject({ inviter: { first_name: 'Olive', last_name: 'Oak' } });
  return found!.id;
}

/** The parameter of the route /invite/{id}. */
async function readMailedId(journey: Journey, email: string): Promise<string> {
  journey.outside('mailedToken').findOperation('Teachers', /for the person who has its link$/);
  return (await mailedLink(journey.portal, email, '/invite/')).split('/').at(-1) ?? '';
}

/** Invites four teachers, and returns the one who joins. */
export async function inviteTeachers(journey: Journey, school: School): Promise<Teacher> {
  const { id, admin } = school;
  const [tom, dee, gone, eve] = ['tom', 'dee', 'gone', 'eve'].map(createAddress) as [string, string, string, string];

  await journey.step('Invite teachers by rows and by a file', async () => {
    const rows = { email: [tom, dee, gone], name: ['Tom Reed', 'Dee Reed', 'Gil Gone'] };
    const reply = await admin.call('POST enterprises/{id}/invites', [id], rows);
    expect(reply.sent.map(({ email }) => email)).toEqual([tom, dee, gone]);
    const wrong = await admin.call('POST enterprises/{id}/invites', [id], { email: ['no address'], name: ['Wrong'] });
    expect(wrong.failed).toMatchObject([{ email: 'no address' }]);
    const teachers_file = new File([`Email,Name\n${eve},Eve Reed\n`], 'teachers.csv', { type: 'text/csv' });
    const read = await admin.call('POST enterprises/{id}/invites', [id], { teachers_file });
    expect(read.sent.map(({ email }) => email)).toEqual([eve]);
    expect([...new Set((await listStatuses(journey, school)).values())]).toEqual(['pending']);
    expect(await admin.readDocumented('GET enterprises/{id}/invites', [id], {})).toHaveProperty(
      'invites.0.is_held',
      true,
    );
    await confirmAddress(journey, admin, school.email);
    expect(await admin.readDocumented('GET enterprises/{id}/invites', [id], {})).toHaveProperty(
      'invites.0.is_held',
      false,
    );
  });

  await journey.step('Resend one invitation, delete one and decline one', async () => {
    const again = journey.outside('resendPath').findOperation('Teachers', /^Send a pending or expired invite again$/);
    await admin.callDocumented(again, [id, await findInviteId(school, eve)]);
    await admin.call('DELETE enterprises/{id}/invites/{inviteId}', [id, await findInviteId(school, gone)]);
    const guest = journey.client();
    await guest.call('POST enterprises/invites/{id}/decline', [await readMailedId(journey, dee)]);
    const statuses = await listStatuses(journey, school);
    expect(statuses.get(dee)).toBe('declined');
    expect(statuses.has(gone)).toBe(false);
  });

  return journey.step('Accept an invitation', async () => {
    const client = journey.client();
    await client.expectError(404, 'GET enterprises/invites/{id}', [await findInviteId(school, tom)]);
    const inviteId = await readMailedId(journey, tom);
    const { invite } = await client.call('GET enterprises/invites/{id}', [inviteId]);
    expect(invite).toMatchObject({ status: 'pending', email: tom });
    const account = { first_name: 'Tom', last_name: 'Reed', email: tom, password: PASSWORD };
    const { user, meta } = await client.call('POST users', [], { ...account, user_type: 'enterprise' });
    client.useToken(meta.token);
    await client.call('POST enterprises/invites/{id}/accept', [inviteId]);
    const { user: me } = await client.call('GET users/me', []);
    expect(me).toMatchObject({ enterprise_id: id, enterprise_user_role: 'teacher' });
    const error = await client.expectError(403, 'GET enterprises/{id}/invites', [id]);
    expect(error.error).not.toBe('Unauthorised');
    return { id: user.id, client };
  });
}

/** Sends the password again. */
async function proveIdentity(journey: Journey, { admin }: School): Promise<void> {
  const operation = journey.outside('proof').findOperation('Access', /^Prove again who you are$/);
  await admin.callDocumented(operation, [], { password: PASSWORD });
}

/** Promotes, demotes and deletes a teacher, and allows recordings. */
export async function manageStaff(journey: Journey, school: School, teacher: Teacher): Promise<void> {
  const { id, admin } = school;
  const readRole = async () => {
    const { enterprise } = await admin.call('GET enterprises/{id}', [id]);
    return enterprise.users.find((user) => user.id === teacher.id)?.enterprise_user_role;
  };

  await journey.step('Promote a teacher and demote them again', async () => {
    await journey.portal.edit(
      `update sessions set proved_at = now() - interval '16 minutes' where user_id = (select id from users where email = '${school.email}')`,
    );
    const promotion = ['POST enterprises/{id}/users/{userId}/setadmin', [id, teacher.id], { admin: 1 }] as const;
    const { code } = await admin.expectError(409, ...promotion);
    expect(code).toBe('proof_required');
    await proveIdentity(journey, school);
    await admin.call(...promotion);
    expect(await readRole()).toBe('admin');
    await admin.call('POST enterprises/{id}/users/{userId}/setadmin', [id, teacher.id], { admin: 0 });
    expect(await readRole()).toBe('teacher');
  });

  await journey.step('Delete a teacher', async () => {
    await admin.call('DELETE enterprises/{id}/users/{userId}', [id, teacher.id]);
    expect(await readRole()).toBeUndefined();
  });

  await journey.step('Switch recordings on and off', async () => {
    await journey.portal.edit(`update schools set can_enable_recordings = true where id = ${id}`);
    for (const recording_enabled of [1, 0] as const) {
      await admin.call('POST enterprises/{id}', [id], { recording_enabled });
      const { enterprise } = await admin.call('GET enterprises/{id}', [id]);
      expect(enterprise).toMatchObject({ can_enable_recordings: true, recording_enabled: recording_enabled === 1 });
    }
  });
}
