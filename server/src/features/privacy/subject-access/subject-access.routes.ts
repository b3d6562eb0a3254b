import { Readable } from 'node:stream';
import { defineHandlers } from '../../../http/pipeline.ts';
import { FileReply } from '../../../file-reply.ts';
import { listDataSubjects } from './data-subjects.service.ts';
import { openRequest } from './open-request.service.ts';
import { readParts } from './subject-file.service.ts';
import {
  closeRequest,
  decideText,
  describePage,
  describeRequest,
  describeTexts,
  recordDownload,
  requestFile,
} from './subject-requests.service.ts';
import { recordStep, undoStep } from './subject-steps.service.ts';

/** Requests and complaints about data, for admins and data protection officers of the school. */
export const subjectAccessHandlers = defineHandlers({
  listDataSubjects: {
    handle: async ({ db, query: { pupil, staff, search = '' } }) => ({
      people: await listDataSubjects(
        db,
        pupil !== undefined ? { pupil } : staff !== undefined ? { staff } : { search },
      ),
    }),
  },
  listSubjectRequests: {
    handle: async ({ db, query: { kind, page, per_page }, now }) => {
      const { requests, total } = await describePage(db, { kind, limit: per_page, offset: (page - 1) * per_page }, now);
      return { requests, meta: { total, total_filtered: total, page, per_page } };
    },
  },
  openSubjectRequest: {
    handle: async ({ db, me, body, now }) => ({ request: await openRequest(db, me, body, now) }),
  },
  getSubjectRequest: {
    handle: async ({ db, params, now }) => ({ request: await describeRequest(db, params.requestId, now) }),
  },
  recordSubjectStep: {
    handle: async ({ db, me, params, body, now }) => {
      await recordStep(db, me, params.requestId, body, now);
      return {};
    },
  },
  undoSubjectStep: {
    handle: async ({ db, me, params, now }) => {
      await undoStep(db, me, params.requestId, params.stepId, now);
      return {};
    },
  },
  listSubjectTexts: {
    handle: async ({ db, params, query: { page, per_page }, shows }) => {
      const part = { limit: per_page, offset: (page - 1) * per_page };
      const { pupilId, texts, total } = await describeTexts(db, params.requestId, part);
      shows(pupilId !== null && texts.length > 0 ? [pupilId] : []);
      return { texts, meta: { total, total_filtered: total, page, per_page } };
    },
  },
  decideSubjectText: {
    handle: async ({ db, me, params, body, now }) => {
      await decideText(db, me, params.requestId, body, now);
      return {};
    },
  },
  makeSubjectFile: {
    handle: async ({ db, me, params, now }) => {
      await requestFile(db, me, params.requestId, now);
      return {};
    },
  },
  downloadSubjectFile: {
    writes: true,
    handle: async ({ db, me, params: { requestId }, now, shows, services }) => {
      const { version, pupilId } = await recordDownload(db, me, requestId, now);
      shows(pupilId === null ? [] : [pupilId]);
      // Read after the commit, so that no file is sent without its record.
      const parts = readParts(services, db.schoolId, { requestId, version });
      return new FileReply('application/zip', `subject-access-${requestId}.zip`, Readable.from(parts));
    },
  },
  closeSubjectRequest: {
    handle: async ({ db, me, params, body, now }) => {
      await closeRequest(db, me, params.requestId, body, now);
      return {};
    },
  },
});
