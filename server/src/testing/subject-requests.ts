import { pupilNoteCalls } from '#contract/calls/pupil-notes.ts';
import { subjectRequestCalls } from '#contract/calls/subject-requests.ts';
import { listZip, unzip } from '../spreadsheets/zip.ts';
import type { TestApp } from './app.ts';
import type { BuiltSchool } from './builder.ts';
import { extractText, getDocumentProxy } from './read-pdf.ts';

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
  const at = { params: { id: school.id, requestId: request.id }, token };
  await app.call(subjectRequestCalls.recordSubjectStep, {
    ...at,
    body: { step: 'clarification_asked', on: request.received_on, note: 'All of the notes?' },
  });
  const { steps } = (await app.call(subjectRequestCalls.getSubjectRequest, at)).reply.request;
  if (makesFile) {
    await app.call(subjectRequestCalls.decideSubjectText, {
      ...at,
      body: { kind: 'pupil_notes', id: note.id, decision: 'include' },
    });
    await app.call(subjectRequestCalls.makeSubjectFile, at);
    await app.runJobs();
  }
  return { requestId: request.id, stepId: steps[0]?.id ?? 0, noteId: note.id };
}

export interface MadeCopy {
  requestId: number;
  /** The texts of the files by name, without the PDF. */
  files: ReadonlyMap<string, string>;
  /** The pages of the PDF as text. */
  pages: readonly string[];
  /** Everything that a person can read in the archive. */
  everything: string;
}

/**
 * Makes and downloads the copy of a request that is open.
 * @param options.leavesOut leaves out the texts about the pupil, instead of including them
 */
export async function makeCopy(
  app: TestApp,
  school: BuiltSchool,
  requestId: number,
  { leavesOut = false }: { leavesOut?: boolean } = {},
): Promise<MadeCopy> {
  const at = { params: { id: school.id, requestId }, token: school.admin.token };
  const { reply } = await app.call(subjectRequestCalls.listSubjectTexts, { ...at, query: { per_page: '100' } });
  for (const { kind, id } of reply.texts)
    await app.call(subjectRequestCalls.decideSubjectText, {
      ...at,
      body: { kind, id, decision: leavesOut ? 'leave_out' : 'include' },
    });
  await app.call(subjectRequestCalls.makeSubjectFile, at);
  await app.runJobs();
  const { bytes } = await app.call(subjectRequestCalls.downloadSubjectFile, at);
  const entries = new Map((listZip(bytes) ?? []).map((entry) => [entry.name, unzip(bytes, entry) ?? Buffer.alloc(0)]));
  const pdf = await getDocumentProxy(new Uint8Array(entries.get('read-me-first.pdf') ?? []));
  const { text: pages } = await extractText(pdf, { mergePages: false });
  entries.delete('read-me-first.pdf');
  const files = new Map([...entries].map(([name, content]) => [name, content.toString('utf8')]));
  return { requestId, files, pages, everything: [...files.values(), ...pages].join('\n').replaceAll(/\s+/g, ' ') };
}
