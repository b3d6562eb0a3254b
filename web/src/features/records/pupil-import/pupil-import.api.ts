import { useMutation } from '@tanstack/react-query';
import {
  pupilImportCalls,
  type ColumnRole,
  type ImportRowInput,
  type ListLayout,
  type PupilsCreated,
} from '#contract/calls/pupil-import.ts';
import { call } from '../../../shared/api-client.ts';
import type { FirstQueries } from '../../../shared/first-queries.ts';
import { parseId } from '../../../shared/parse-id.ts';
import { useInvalidatingMutation } from '../../../shared/use-invalidating-mutation.ts';
import { type TableState, visitTableState } from '../../../ui/table-url-state.ts';
import { runQuery, runsQuery, runsTable } from '../runs/run-queries.public.ts';

/** A source of names. */
export type Source =
  | { kind: 'file'; file: File }
  | { kind: 'text'; text: string }
  | { kind: 'rows'; pupils: ImportRowInput[] };

/** How the user wants a list to be read. */
export interface Reading {
  roles?: readonly ColumnRole[];
  layout?: ListLayout;
  /** The positions of the sheets to use, from 1. */
  sheets?: readonly number[];
  /** The value of a choice for the ID of a question. */
  answers?: Readonly<Record<string, string>>;
}

interface PreviewInput {
  source: Source;
  reading?: Reading;
  /** One class for all pupils. */
  classId?: number | undefined;
}

function bodyOf({ source, reading: { roles, layout, sheets, answers = {} } = {}, classId }: PreviewInput) {
  const lines = Object.entries(answers).map(([id, value]) => `${id}=${value}`);
  const hints = {
    ...(roles && { roles: roles.join(',') }),
    ...(layout && { layout }),
    ...(sheets && { sheets: sheets.join(',') }),
    ...(lines.length > 0 && { answers: lines.join('\n') }),
    ...(classId !== undefined && { group_id: classId }),
  };
  if (source.kind === 'text') return { ...hints, text: source.text };
  if (source.kind === 'rows') return { ...hints, readers: source.pupils };
  const form = new FormData();
  form.append('readers_file', source.file);
  for (const [name, value] of Object.entries(hints)) form.append(name, String(value));
  return form;
}

/** The lists that the user can see: admins all, teachers those that they added. */
export const pupilListsQuery = (id: number, state: TableState) => runsQuery(id, state, 'list');

export const pupilListsPageQueries: FirstQueries = ({ schoolId, query }) => [
  pupilListsQuery(schoolId, visitTableState(query, runsTable)),
];

export const pupilListPageQueries: FirstQueries = ({ schoolId, params }) => {
  const runId = parseId(params.runId);
  return runId === undefined ? [] : [runQuery(schoolId, runId)];
};

/** Previews an import. Changes nothing. */
export const usePreview = (id: number) =>
  useMutation({
    mutationFn: (input: PreviewInput) => call(pupilImportCalls.previewPupils, { params: { id }, body: bodyOf(input) }),
  });

export interface Creation {
  /** One class for all pupils; otherwise each row names its own, or none. */
  classId: number | null;
  pupils: ImportRowInput[];
  /** Pupils of the school who also move to the class. */
  existing: number[];
  /** What the user chose for columns of the list, for the school's next import. */
  columns: { header: string; role: ColumnRole }[];
  /** The name of the list's file. */
  title?: string;
  /** The same key for a repeated request, so that no pupil is created twice. */
  idempotencyKey: string;
}

/** Creates all the pupils, or none. */
export const useCreatePupils = (id: number) =>
  useInvalidatingMutation(
    ({ classId, pupils, existing, columns, title, idempotencyKey }: Creation): Promise<PupilsCreated> =>
      classId === null
        ? call(pupilImportCalls.createPupils, {
            params: { id },
            body: { readers: pupils, columns, title },
            idempotencyKey,
          })
        : call(pupilImportCalls.addPupilsToClass, {
            params: { id, groupId: classId },
            body: { readers: { existing, new: pupils }, columns, title },
            idempotencyKey,
          }),
  );
