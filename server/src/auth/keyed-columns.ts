/** What a client secret of a OneRoster connection is sealed for. */
export const connectionPurpose = (schoolId: number): string => `school records connection ${schoolId}`;

/** What the secret of an authenticator app is sealed for. */
export const AUTHENTICATOR_PURPOSE = 'authenticator';

/** What a part of a subject access file is sealed for: its place, so that parts cannot be exchanged. */
export const subjectFilePurpose = (
  schoolId: number,
  { requestId, version, part }: { requestId: number; version: string; part: number },
): string => `subject-file ${schoolId} ${requestId} ${version} ${part}`;

type KeyRow = Record<string, number | string>;

/** A column whose content is encrypted with `SECRETS_KEY`, and encrypted again when the key changes. */
export interface SealedColumn {
  table: string;
  column: string;
  key: readonly string[];
  purposeOf: (row: KeyRow) => string;
  /** Rows in memory at once. */
  batchSize: number;
  /** What the rows are, for operators. */
  title: string;
}

export const SEALED_COLUMNS: readonly SealedColumn[] = [
  {
    table: 'login_factors',
    column: 'sealed_secret',
    key: ['id'],
    purposeOf: () => AUTHENTICATOR_PURPOSE,
    batchSize: 500,
    title: 'secrets of authenticator apps',
  },
  {
    table: 'school_records_connections',
    column: 'secret',
    key: ['school_id'],
    purposeOf: ({ school_id }) => connectionPurpose(Number(school_id)),
    batchSize: 500,
    title: 'secrets of OneRoster connections',
  },
  {
    table: 'subject_request_parts',
    column: 'sealed',
    key: ['school_id', 'request_id', 'version', 'part'],
    purposeOf: ({ school_id, request_id, version, part }) =>
      subjectFilePurpose(Number(school_id), {
        requestId: Number(request_id),
        version: String(version),
        part: Number(part),
      }),
    // Each has up to 1 MB.
    batchSize: 8,
    title: 'parts of subject access files',
  },
];
