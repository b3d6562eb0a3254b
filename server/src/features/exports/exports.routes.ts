import { recordChange } from '../../audit/audit-log.queries.ts';
import { readInSchool, type SchoolDb } from '../../database/school.ts';
import { defineHandlers, type StaffSession, withPrepare } from '../../http/pipeline.ts';
import { FileReply } from '../../http/replies.ts';
import { tableFile } from '../../spreadsheets/sheet-file.ts';
import type { FileToPack } from '../../spreadsheets/zip-file.ts';
import { runInWorker } from '../../workers/worker-pool.ts';
import { listStaff } from '../access/access.public.ts';
import { listClasses } from '../classes/classes.public.ts';
import { filterOf, listPupils } from '../pupils/pupils.public.ts';
import { getSchoolRow } from '../school/school.public.ts';
import {
  classesSheet,
  describeFilter,
  type ExportSource,
  pupilsSheet,
  readingSheet,
  readme,
  teachersSheet,
} from './exports.document.ts';
import { listYearsOfReading } from './exports.queries.ts';

/** More than any school has. */
const MOST_PUPILS = 100_000;
const ALL = { page: 1, perPage: MOST_PUPILS } as const;

/** What packing a whole school may use. */
const LIMITS = { cpuMs: 30_000, heapMb: 160 };

const sourceOf = async (db: SchoolDb, now: Date): Promise<ExportSource> => ({
  school: (await getSchoolRow(db)).name,
  madeAt: now,
});

const recordDownload = (db: SchoolDb, me: StaffSession, now: Date, action: string, file: string) =>
  recordChange(db, me, now, { action, subjectKind: 'school', subjectId: db.schoolId, details: { file } });

// Written outside any transaction: a file takes a moment.
export const exportHandlers = defineHandlers({
  exportPupils: withPrepare({
    prepare: async ({ me, query, now, services: { database } }) => {
      const { groups: classIds, ...filter } = query;
      const sheet = await readInSchool(database, me.schoolId, async (db) => {
        const { pupils } = await listPupils(db, me, {
          ...filterOf(query, now),
          sort: 'name',
          direction: 'asc',
          ...ALL,
        });
        const classes = await listClasses(db, me);
        const mine =
          me.role === 'admin' ? [] : classes.filter((one) => one.teachers.some(({ id }) => id === me.userId));
        return pupilsSheet(
          pupils,
          await sourceOf(db, now),
          describeFilter({ ...filter, classes: classIds }, classes, mine),
        );
      });
      // A CSV that is imported again has nothing but pupils in it.
      const { notes: _, ...withoutNotes } = sheet;
      return tableFile('pupils', query.format, query.format === 'csv' ? withoutNotes : sheet);
    },
    handle: async ({ db, me, prepared, now }) => {
      await recordDownload(db, me, now, 'pupils_exported', prepared.name);
      return prepared;
    },
  }),
  exportClasses: withPrepare({
    prepare: async ({ me, query, now, services: { database } }) => {
      const sheet = await readInSchool(database, me.schoolId, async (db) =>
        classesSheet(await listClasses(db, me), await sourceOf(db, now)),
      );
      return tableFile('classes', query.format, sheet);
    },
    handle: async ({ db, me, prepared, now }) => {
      await recordDownload(db, me, now, 'classes_exported', prepared.name);
      return prepared;
    },
  }),
  exportTeachers: withPrepare({
    prepare: async ({ me, query, now, services: { database } }) => {
      const sheet = await readInSchool(database, me.schoolId, async (db) =>
        teachersSheet(await listStaff(db), await listClasses(db, me), await sourceOf(db, now)),
      );
      return tableFile('teachers', query.format, sheet);
    },
    handle: async ({ db, me, prepared, now }) => {
      await recordDownload(db, me, now, 'teachers_exported', prepared.name);
      return prepared;
    },
  }),
  exportSchool: withPrepare({
    prepare: async ({ me, now, services: { database } }) => {
      const files = await readInSchool(database, me.schoolId, async (db): Promise<FileToPack[]> => {
        const source = await sourceOf(db, now);
        const classes = await listClasses(db, me);
        const { pupils } = await listPupils(db, me, {
          search: '',
          classes: undefined,
          sort: 'group',
          direction: 'asc',
          ...ALL,
        });
        return [
          { name: 'README.txt', content: readme(source) },
          { name: 'pupils.xlsx', content: pupilsSheet(pupils, source, describeFilter({}, classes)) },
          { name: 'classes.xlsx', content: classesSheet(classes, source) },
          { name: 'teachers.xlsx', content: teachersSheet(await listStaff(db), classes, source) },
          { name: 'reading.xlsx', content: readingSheet(pupils, await listYearsOfReading(db), source) },
        ];
      });
      const content = Buffer.from(await runInWorker('writeZip', files, LIMITS));
      return new FileReply('application/zip', `school-${now.toISOString().slice(0, 10)}.zip`, content);
    },
    handle: async ({ db, me, prepared, now }) => {
      await recordDownload(db, me, now, 'school_exported', prepared.name);
      return prepared;
    },
  }),
});
