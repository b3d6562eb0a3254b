/** The errors of uploaded and pasted lists: see `errorList`. */
export const fileErrors = {
  file_wrong_type: {
    status: 415,
    type: 'bad_request',
    text: 'We cannot read this kind of file. Save the list as an Excel workbook (XLSX) or as CSV and upload it again.',
    code: 'file_wrong_type',
  },
  file_with_macros: {
    status: 415,
    type: 'bad_request',
    text: 'This kind of workbook can contain macros, which we do not accept. Save it as an Excel workbook (XLSX) and upload that.',
    code: 'file_with_macros',
  },
  file_empty: {
    status: 422,
    type: 'validation',
    text: 'There are no names in this file. Check that you chose the right one.',
    code: 'file_empty',
  },
  file_protected: {
    status: 422,
    type: 'validation',
    text: 'This file has a password. Remove the password in your spreadsheet program, save the file and upload it again.',
    code: 'file_protected',
  },
  file_damaged: {
    status: 422,
    type: 'validation',
    text: 'This file is damaged or incomplete. Open it in your spreadsheet program, save it and upload it again.',
    code: 'file_damaged',
  },
  file_too_complex: {
    status: 422,
    type: 'validation',
    text: 'This file is too large. Copy the names into a new spreadsheet and upload that, or paste them.',
    code: 'file_too_complex',
  },
  file_too_many_rows: {
    status: 422,
    type: 'validation',
    text: 'This file has more than 5,000 rows. Split it into smaller files and upload them one by one.',
    code: 'file_too_many_rows',
  },
  file_not_understood: {
    status: 422,
    type: 'validation',
    text: 'We could not find a column with pupils’ names. Use one column headed Name, or two headed First name and Surname.',
    code: 'file_not_understood',
  },
  file_has_questions: {
    status: 422,
    type: 'validation',
    text: 'We had to guess how to read this file. Preview it, and answer the questions about it.',
    code: 'file_has_questions',
  },
} as const;
