import type { AuditAction } from '#contract/audit-details.ts';
import { outputOf } from '#contract/calls/downloads.ts';
import { FIRST_DAY } from '#contract/limits.ts';
import { dayIn } from '../../../clock.ts';
import { listChanges, recordChange } from '../../../audit/audit-log.queries.ts';
import { listExportedSeals } from '../../../audit/exported-seals.queries.ts';
import type { SchoolDb } from '../../../database/school.ts';
import type { StaffSession } from '../../../context.ts';
import { defineHandlers, withPrepare } from '../../../http/pipeline.ts';
import { FileReply } from '../../../file-reply.ts';
import type { ExportFile } from '#contract/export-files.ts';
import { tableFile } from '../../../spreadsheets/sheet-file.ts';
import type { SheetToWrite } from '../../../spreadsheets/xlsx.ts';
import type { FileToPack } from '../../../spreadsheets/zip-file.ts';
import { runInWorker } from '../../../workers/worker-pool.ts';
import { listStaff } from '../../accounts/access/access.public.ts';
import { listInvoices, toInvoices } from '../../billing/invoices/invoices.public.ts';
import { describeClassReading } from '../../reading/class-reading/class-reading.public.ts';
import { getClass, listClasses } from '../../school/classes/classes.public.ts';
import {
  canReadDetails,
  getPupil,
  listPupils,
  listTagsWithPupils,
  toPupil,
  toPupilFilter,
} from '../../school/pupils/pupils.public.ts';
import { listLatestSessions, toReadingSession } from '../../reading/pupil-progress/pupil-progress.public.ts';
import { describePrograms } from '../../school/programs/programs.public.ts';
import { getSchoolRow, getSchoolWithStatistics } from '../../school/school/school.public.ts';
import {
  staffOf,
  changesSheet,
  classesSheet,
  classReadingSheet,
  describeFilter,
  type ExportSource,
  invoicesSheet,
  programsSheet,
  pupilsSheet,
  readingSheet,
  readme,
  sessionsSheet,
  teachersSheet,
} from './exports.document.ts';
import { listYearsOfReading } from './exports.queries.ts';

/** More than any school has. */
const MAX_PUPILS = 100_000;
/** Of the audit log, in one file. */
const MAX_CHANGES = 10_000;
const ALL = { page: 1, perPage: MAX_PUPILS } as const;

/** The limits for packing the data of a whole school. */
const LIMITS = { cpuMs: 30_000 };

const sourceOf = async (db: SchoolDb, now: Date): Promise<ExportSource> => ({
  school: (await getSchoolRow(db)).name,
  madeAt: now,
});

const withYearGroups = (pupils: Awaited<ReturnType<typeof listPupils>>['pupils'], now: Date) => {
  const today = dayIn('Europe/London', now);
  return pupils.map((pupil) => toPupil(pupil, today));
};

type FileAction = Extract<AuditAction, `${string}_exported`>;

/** The last step of a download: records it, about the whole school or one class or pupil, and returns the file. */
const recordDownload =
  <Params, File extends FileReply>(
    action: FileAction,
    subjectOf?: (params: Params) => { kind: 'class' | 'pupil'; id: number },
  ) =>
  async ({ db, me, now, params, prepared }: FileContext<Params, File>): Promise<File> => {
    const { kind, id } = subjectOf?.(params) ?? { kind: 'school', id: db.schoolId };
    await recordChange(db, me, now, { action, subjectKind: kind, subjectId: id, details: { file: prepared.name } });
    return prepared;
  };

interface FileContext<Params, File> {
  db: SchoolDb;
  me: StaffSession;
  now: Date;
  params: Params;
  prepared: File;
}

// Written outside any transaction, because a file takes a moment.
export const exportHandlers = defineHandlers({
  exportPupils: withPrepare({
    writes: true,
    prepare: async ({ me, query, now, shows, read }) => {
      const { groups: classIds, ...filter } = query;
      const sheet = await read(async (db) => {
        const { pupils } = await listPupils(db, me, {
          ...toPupilFilter(query, now),
          sort: 'name',
          direction: 'asc',
          ...ALL,
        });
        const classes = await listClasses(db, me);
        const ownClasses =
          me.role === 'admin' ? [] : classes.filter((schoolClass) => staffOf(schoolClass).has(me.userId));
        const tags = query.include_tags ? await listTagsWithPupils(db, me) : [];
        // Names and classes alone are no view.
        shows(query.include_tags ? pupils.map(({ id }) => id) : []);
        return pupilsSheet(
          withYearGroups(pupils, now),
          await sourceOf(db, now),
          describeFilter({ ...filter, classes: classIds }, classes, ownClasses, tags),
          tags,
        );
      });
      // A CSV file that can be imported again contains only pupils.
      const { notes: _, ...withoutNotes } = sheet;
      const output = outputOf(query);
      return tableFile('pupils', output, output === 'csv' ? withoutNotes : sheet);
    },
    handle: async (context) => {
      await recordDownload(context.query.include_tags ? 'pupils_with_tags_exported' : 'pupils_exported')(context);
      return context.prepared;
    },
  }),
  exportClasses: withPrepare({
    writes: true,
    prepare: async ({ me, query, now, read }) => {
      const sheet = await read(async (db) => classesSheet(await listClasses(db, me), await sourceOf(db, now)));
      return tableFile('classes', outputOf(query), sheet);
    },
    handle: recordDownload('classes_exported'),
  }),
  exportTeachers: withPrepare({
    writes: true,
    prepare: async ({ me, query, now, read }) => {
      const sheet = await read(async (db) =>
        teachersSheet(await listStaff(db), await listClasses(db, me), await sourceOf(db, now)),
      );
      return tableFile('teachers', outputOf(query), sheet);
    },
    handle: recordDownload('teachers_exported'),
  }),
  exportAuditLog: withPrepare({
    writes: true,
    prepare: async ({ query: { output, ...filter }, now, read }) => {
      const isJsonLines = output === 'jsonl';
      const { entries, source, seals } = await read(async (db) => {
        const changes = await listChanges(db, filter, { page: 1, perPage: MAX_CHANGES });
        const ids = isJsonLines ? changes.entries.map(({ id }) => id) : [];
        return { entries: changes.entries, source: await sourceOf(db, now), seals: await listExportedSeals(db, ids) };
      });
      if (!isJsonLines) return tableFile('changes', outputOf({ output }), changesSheet(entries, source));
      const lines = entries.map((entry) => `${JSON.stringify({ ...entry, seal: seals.get(entry.id) ?? null })}\n`);
      return new FileReply('application/jsonl', 'changes.jsonl', lines.join(''));
    },
    handle: recordDownload('audit_log_exported'),
  }),
  exportClassReading: withPrepare({
    writes: true,
    prepare: async ({ me, params, query, now, shows, services: { config }, read }) => {
      const sheet = await read(async (db) => {
        const school = await getSchoolWithStatistics(db, config);
        const schoolClass = await getClass(db, me, params.groupId);
        const reading = await describeClassReading(db, schoolClass.id, school, now);
        shows(reading.readers.map(({ id }) => id));
        return classReadingSheet(reading, schoolClass.name, await sourceOf(db, now));
      });
      return tableFile('class-reading', outputOf(query), sheet);
    },
    handle: recordDownload('class_reading_exported', ({ groupId: id }) => ({ kind: 'class', id })),
  }),
  exportPupilSessions: withPrepare({
    writes: true,
    prepare: async ({ me, params, query, now, read }) => {
      const sheet = await read(async (db) => {
        const pupil = await getPupil(db, me, params.readerId);
        const range = {
          from: new Date(query.start_time ?? FIRST_DAY),
          to: query.end_time ? new Date(query.end_time) : now,
        };
        const sessions = (await listLatestSessions(db, pupil.id, range.from, range.to)).map((session) =>
          toReadingSession(session, canReadDetails(me, pupil)),
        );
        return sessionsSheet(sessions, pupil.name, range, await sourceOf(db, now));
      });
      return tableFile('reading-sessions', outputOf(query), sheet);
    },
    handle: recordDownload('pupil_sessions_exported', ({ readerId: id }) => ({ kind: 'pupil', id })),
  }),
  exportSchoolInvoices: withPrepare({
    writes: true,
    prepare: async ({ query, now, services: { config }, read }) => {
      const sheet = await read(async (db) =>
        invoicesSheet(toInvoices(await listInvoices(db), config.publicUrl, now).data, await sourceOf(db, now)),
      );
      return tableFile('invoices', outputOf(query), sheet);
    },
    handle: recordDownload('invoices_exported'),
  }),
  exportSchool: withPrepare({
    writes: true,
    prepare: async ({ me, now, shows, read }) => {
      const files = await read(async (db): Promise<FileToPack[]> => {
        const source = await sourceOf(db, now);
        const classes = await listClasses(db, me);
        const { pupils } = await listPupils(db, me, {
          search: '',
          classes: undefined,
          sort: 'group',
          direction: 'asc',
          ...ALL,
        });
        shows(pupils.map(({ id }) => id));
        const sheets: Record<ExportFile, SheetToWrite> = {
          'pupils.xlsx': pupilsSheet(
            withYearGroups(pupils, now),
            source,
            describeFilter({}, classes),
            await listTagsWithPupils(db, me),
          ),
          'classes.xlsx': classesSheet(classes, source),
          'teachers.xlsx': teachersSheet(await listStaff(db), classes, source),
          'reading.xlsx': readingSheet(pupils, await listYearsOfReading(db), source),
          'programs.xlsx': programsSheet(await describePrograms(db), source),
        };
        return [
          { name: 'README.txt', content: readme(source) },
          ...Object.entries(sheets).map(([name, content]) => ({ name, content })),
        ];
      });
      const content = Buffer.from(await runInWorker('writeZip', files, LIMITS));
      return new FileReply('application/zip', `school-${now.toISOString().slice(0, 10)}.zip`, content);
    },
    handle: recordDownload('school_exported'),
  }),
});
