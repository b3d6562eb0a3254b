import { describe, expect, test } from 'vitest';
import { testApp } from '../testing/app.ts';
import { type BuiltSchool, CONTACT, type Person } from '../testing/builder.ts';

const app = testApp();

/** What an action concerns: a class with a pupil in it, a pupil to add to it, a colleague, and a class to move to. */
interface Target {
  school: BuiltSchool;
  classId: number;
  pupilId: number;
  /** A pupil without a class. */
  unplacedId: number;
  colleague: Person;
  /** Another class with the same teacher. */
  secondClassId: number;
}

/** A call. A path without a slash at its start is one of the school. */
type Action = (target: Target) => readonly [method: string, path: string, payload?: object];

/** The table of permissions: its actions in order, whether a teacher has them (`own`: in their own classes), and the calls. */
const TABLE: readonly (readonly [action: string, teacher: 'no' | 'yes' | 'own', calls: Record<string, Action>])[] = [
  ['Add Teacher', 'no', { invite: () => ['POST', 'invites', { email: ['new@test.example'] }] }],
  ['Delete Teacher', 'no', { remove: ({ colleague }) => ['DELETE', `users/${colleague.id}`] }],
  ['Delete Pupils from School', 'no', { remove: ({ pupilId }) => ['DELETE', `/readers/${pupilId}`] }],
  ['Promote to Admin', 'no', { promote: ({ colleague }) => ['POST', `users/${colleague.id}/setadmin`, { admin: 1 }] }],
  ['Demote from Admin', 'no', { demote: ({ colleague }) => ['POST', `users/${colleague.id}/setadmin`, { admin: 0 }] }],
  ['Add Pupils to School', 'yes', { add: () => ['POST', 'readers', { readers: [{ name: 'Grace Hopper' }] }] }],
  ['Create Class', 'yes', { create: () => ['POST', 'groups', { name: 'Year 1 Robins' }] }],
  ['Delete Class', 'own', { remove: ({ classId }) => ['DELETE', `groups/${classId}`] }],
  [
    'Add/Remove Pupils to/from Class',
    'own',
    {
      add: ({ classId, unplacedId }) => [
        'POST',
        `groups/${classId}/readers`,
        { readers: { existing: [unplacedId], new: [{ name: 'Grace Hopper' }] } },
      ],
      remove: ({ classId, pupilId }) => ['DELETE', `groups/${classId}/readers/${pupilId}`],
    },
  ],
  [
    'Move Pupils',
    'own',
    {
      move: ({ classId, pupilId, secondClassId }) => [
        'POST',
        `groups/${secondClassId}/readers/move`,
        { reader_ids: [pupilId], source: classId },
      ],
    },
  ],
  [
    'Assign/Remove Books to/from Class and Pupils',
    'own',
    {
      'assign to the class': ({ classId }) => ['POST', `groups/${classId}/books/101`],
      'assign many to the class': ({ classId }) => ['POST', `groups/${classId}/books`, { book_ids: [101] }],
      'remove from the class': ({ classId }) => ['DELETE', `groups/${classId}/books/101`],
      'remove many from the class': ({ classId }) => ['POST', `groups/${classId}/books/remove`, { book_ids: [101] }],
      'assign to the pupil': ({ pupilId }) => ['POST', `readers/${pupilId}/books/101`],
      'assign many to the pupil': ({ pupilId }) => ['POST', `readers/${pupilId}/books`, { book_ids: [101] }],
      'remove from the pupil': ({ pupilId }) => ['DELETE', `readers/${pupilId}/books/101`],
      'remove many from the pupil': ({ pupilId }) => ['POST', `readers/${pupilId}/books/remove`, { book_ids: [101] }],
    },
  ],
  ['Reset Passwords', 'own', { reset: ({ pupilId }) => ['POST', 'readers/password/reset', { reader_ids: [pupilId] }] }],
  [
    'Assign/Remove Teacher to/from Class',
    'own',
    {
      assign: ({ classId, colleague }) => ['POST', `groups/${classId}/users/${colleague.id}`],
      remove: ({ classId }) => ['DELETE', `groups/${classId}/users`],
    },
  ],
  ['Edit Account Details', 'yes', { edit: () => ['POST', '/users/me', { first_name: 'Robin' }] }],
];

/** A new school, in which the class of the action is the teacher's own or not. */
async function build(isOwn: boolean): Promise<Target> {
  const school = await app.build.school();
  const used = isOwn ? school.ownClass : school.otherClass;
  return {
    school,
    classId: used.id,
    pupilId: used.pupils[0]?.id ?? 0,
    unplacedId: school.unplaced.id,
    colleague: await app.build.staff(school, 'teacher'),
    secondClassId: await app.build.newClass(school, 'Year 6 Owls', school.teacher.id),
  };
}

async function statusOf(action: Action, target: Target, { token }: Person): Promise<number> {
  const [method, path, payload] = action(target);
  const url = path.startsWith('/') ? path : `/enterprises/${target.school.id}/${path}`;
  return (await app.ask(method, url, { token, ...(payload && { payload }) })).status;
}

describe.each(TABLE)('%s', (_, teacher, calls) => {
  test.each(Object.entries(calls))(
    'an admin can %s, and a teacher only as the table of permissions allows',
    async (__, call) => {
      for (const isOwn of [true, false]) {
        const byAdmin = await build(isOwn);
        expect(await statusOf(call, byAdmin, byAdmin.school.admin)).toBe(200);
        const byTeacher = await build(isOwn);
        const expected = teacher === 'no' ? 403 : teacher === 'yes' || isOwn ? 200 : 409;
        expect(await statusOf(call, byTeacher, byTeacher.school.teacher)).toBe(expected);
      }
    },
  );
});

test('only an admin can see and change invitations, edit the school and see its subscription', async () => {
  const { school } = await build(true);
  const { id } = await app.build.invite(school);
  const contact = { ...CONTACT, type: 'primary' };
  const actions: readonly ReturnType<Action>[] = [
    ['GET', 'invites'],
    ['POST', `invites/${id}/resend`],
    ['DELETE', `invites/${id}`],
    ['POST', '', { name: 'Oak Row' }],
    ['POST', 'details', { school: { name: 'Oak Row' }, primary: contact }],
    ['POST', 'contacts', { contact }],
    ['GET', 'subscriptions'],
    ['GET', 'subscriptions/packages'],
    ['GET', 'contacts/billing'],
  ];
  for (const [method, path, payload] of actions)
    for (const [{ token }, expected] of [
      [school.teacher, 403],
      [school.admin, 200],
    ] as const) {
      const url = `/enterprises/${school.id}/${path}`.replace(/\/$/, '');
      const { status } = await app.ask(method, url, { token, ...(payload && { payload }) });
      expect([method, path, status]).toEqual([method, path, expected]);
    }
});
