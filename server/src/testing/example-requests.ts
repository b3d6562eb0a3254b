import type { Call } from '#contract/call.ts';
import { EXAMPLE } from '#contract/examples.ts';
import qs from 'qs';
import { type BuiltSchool, PASSWORD } from './builder.ts';

/** The path with the IDs of a school's own rows as its parameters. */
export function pathWithIds(
  call: Call,
  own: BuiltSchool,
  invite: { id: string; link: string } | undefined,
  schoolId = own.id,
): string {
  const ids: Record<string, string | number | undefined> = {
    id: schoolId,
    readerId: own.ownClass.pupils[0]?.id,
    pupilId: own.ownClass.pupils[0]?.id,
    groupId: own.ownClass.id,
    userId: own.teacher.id,
    bookId: 101,
    packageId: 2,
    inviteId: call.path.includes('{id}') ? invite?.id : invite?.link,
    schoolId: own.id,
    action: 'start',
    resetId: '6f1e8a52-7a51-4c55-9a0c-0d4f2b7c9e11',
    token: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA.pdf',
    name: 'pupils.xlsx',
    invoiceToken: 'A'.repeat(43),
    invoiceNumber: 'INV-999999',
    sessionId: 'cs_unknown',
    loginSessionId: '0'.repeat(64),
    jobId: '3f0c2b6e-9d1a-4f7b-8c25-5e7a1d9b4c33',
    academicYear: 2026,
    level: 3,
    certificate: 'book-worm.pdf',
    noteId: 1,
    tagId: 1,
    factorId: 1,
    linkedAccountId: 1,
    provider: 'microsoft',
    responseId: 1,
    erasureId: 1,
    runId: 1,
    sourceId: 1,
    requestId: 1,
    adminRequestId: 1,
    coverId: 1,
    programId: 1,
    stepId: 1,
  };
  return call.path.replace(/\{(\w+)\}/g, (_, parameter: string) => {
    if (ids[parameter] === undefined)
      throw new Error(`Say here what {${parameter}} is, so that ${call.name} is tested.`);
    return String(ids[parameter]);
  });
}

/** The query of a call's example, so that the request is well formed. */
export function exampleQuery({ example }: Call): string {
  return example?.query ? `?${qs.stringify(example.query)}` : '';
}

/** A school's own values for those that examples have. */
export const listOwnValues = (own: BuiltSchool, inviteLink: string): Map<unknown, unknown> =>
  new Map<unknown, unknown>([
    [EXAMPLE.school, own.id],
    [EXAMPLE.class, own.ownClass.id],
    [EXAMPLE.otherClass, own.otherClass.id],
    [EXAMPLE.pupil, own.ownClass.pupils[0]?.id],
    [EXAMPLE.otherPupil, own.otherClass.pupils[0]?.id],
    [EXAMPLE.teacher, own.teacher.id],
    [EXAMPLE.admin, own.admin.id],
    [EXAMPLE.teacherEmail, own.teacher.email],
    [EXAMPLE.password, PASSWORD],
    [EXAMPLE.username, own.ownClass.pupils[0]?.username],
    [EXAMPLE.invite, inviteLink],
  ]);

/** An example with the values of a school in it. */
export function replaceValues(example: unknown, own: ReadonlyMap<unknown, unknown>): unknown {
  if (own.has(example)) return own.get(example);
  if (Array.isArray(example)) return example.map((part) => replaceValues(part, own));
  if (typeof example !== 'object' || example === null) return example;
  return Object.fromEntries(Object.entries(example).map(([key, part]) => [key, replaceValues(part, own)]));
}
