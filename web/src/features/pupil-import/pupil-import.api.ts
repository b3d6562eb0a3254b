import { useMutation } from '@tanstack/react-query';
import {
  pupilImportCalls,
  type ColumnRole,
  type ImportRowInput,
  type PupilsCreated,
} from '#contract/calls/pupil-import.ts';
import { call } from '../../shared/api-client.ts';
import { useInvalidatingMutation } from '../../shared/use-invalidating-mutation.ts';

/** Where names come from. */
export type Source =
  | { kind: 'file'; file: File }
  | { kind: 'text'; text: string }
  | { kind: 'rows'; pupils: ImportRowInput[] };

interface Question {
  source: Source;
  /** What each column is, where the person has said so. */
  roles?: readonly ColumnRole[] | undefined;
  /** A class for all. */
  classId?: number | undefined;
}

function bodyOf({ source, roles, classId }: Question) {
  const hints = { ...(roles && { roles: roles.join(',') }), ...(classId !== undefined && { group_id: classId }) };
  if (source.kind === 'text') return { ...hints, text: source.text };
  if (source.kind === 'rows') return { ...hints, readers: source.pupils };
  const form = new FormData();
  form.append('readers_file', source.file);
  for (const [name, value] of Object.entries(hints)) form.append(name, String(value));
  return form;
}

/** Asks what an import would do. Changes nothing. */
export const usePreview = (id: number) =>
  useMutation({
    mutationFn: (question: Question) =>
      call(pupilImportCalls.previewPupils, { params: { id }, body: bodyOf(question) }),
  });

export interface Creation {
  /** The class that all go into; otherwise each row says its own, or none. */
  classId: number | null;
  pupils: ImportRowInput[];
  /** Pupils of the school who go into the class too. */
  existing: number[];
  /** The same for a second try, so that nobody is created twice. */
  idempotencyKey: string;
}

/** Creates pupils, all or none. */
export const useCreatePupils = (id: number) =>
  useInvalidatingMutation(({ classId, pupils, existing, idempotencyKey }: Creation): Promise<PupilsCreated> =>
    classId === null
      ? call(pupilImportCalls.createPupils, { params: { id }, body: { readers: pupils }, idempotencyKey })
      : call(pupilImportCalls.addPupilsToClass, {
          params: { id, groupId: classId },
          body: { readers: { existing, new: pupils } },
          idempotencyKey,
        }),
  );
