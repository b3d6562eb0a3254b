/** The files of a school's export, with what each contains. */
export const EXPORT_FILES = {
  'pupils.xlsx': 'every pupil with the class and tags',
  'classes.xlsx': 'every class with its teachers and counts',
  'teachers.xlsx': 'every member of staff with role and classes',
  'reading.xlsx': 'what each pupil read, a row a school year, and their usernames',
  'programs.xlsx': 'every program with a token, what it can do and who answers for it',
} as const;
export type ExportFile = keyof typeof EXPORT_FILES;
