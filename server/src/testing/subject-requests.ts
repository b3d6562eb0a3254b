import { pupilNoteCalls } from '#contract/calls/pupil-notes.ts';
import { subjectRequestCalls } from '#contract/calls/subject-requests.ts';
import type { TestApp } from './app.ts';
import type { BuiltSchool } from './builder.ts';

/**
 * Opens a subject access request about a pupil with one note, and records one step.
 * @param options.makesFile also includes the note and makes the file
 */
export async function openSubjectRequest(
  app: TestApp,
  school: BuiltSchool,
  { makesFile }: { makesFile: boolean },
): Promise<{ requestId: number; stepId: number; noteId: number }> {
  const { token } = school.admin;
  const pupilId = school.ownClass.pupils[0]?.id ?? 0;
  const { note } = (
    await app.call(pupilNoteCalls.addPupilNote, {
      params: { id: school.id, readerId: pupilId },
      token,
      body: { text: 'Reads well' },
    })
  ).reply;
  const { request } = (
    await app.call(subjectRequestCalls.openSubjectRequest, {
      params: { id: school.id },
      token,
      body: {
        subject: { kind: 'pupil', id: pupilId },
        requester_name: 'Gwen Marsh',
        requester_relation: 'parent',
        identity_check: 'Passport',
        maturity: 'adult_decides',
        received_on: app.services.clock.now().toISOString().slice(0, 10),
      },
    })
  ).reply;
  const one = { params: { id: school.id, requestId: request.id }, token };
  await app.call(subjectRequestCalls.recordSubjectStep, {
    ...one,
    body: { step: 'clarification_asked', on: request.received_on, note: 'All of the notes?' },
  });
  const { steps } = (await app.call(subjectRequestCalls.getSubjectRequest, one)).reply.request;
  if (makesFile) {
    await app.call(subjectRequestCalls.decideSubjectText, {
      ...one,
      body: { kind: 'pupil_notes', id: note.id, decision: 'include' },
    });
    await app.call(subjectRequestCalls.makeSubjectFile, one);
    await app.runJobs();
  }
  return { requestId: request.id, stepId: steps[0]?.id ?? 0, noteId: note.id };
}
