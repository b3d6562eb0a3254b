/** The errors of subject access requests: see `errorList`. */
export const subjectRequestErrors = {
  subject_request_open: {
    status: 409,
    type: 'conflict',
    text: 'There is already an open request about this person. Close it before you start another.',
    code: 'subject_request_open',
  },
  subject_request_closed: {
    status: 409,
    type: 'conflict',
    text: 'This request has been closed. Reload the page.',
    code: 'subject_request_closed',
  },
  subject_texts_undecided: {
    status: 409,
    type: 'conflict',
    text: 'Decide about every note first: include it or leave it out.',
    code: 'subject_texts_undecided',
  },
  subject_file_not_downloaded: {
    status: 409,
    type: 'conflict',
    text: 'The file has not been downloaded yet. Download it, or close the request without release.',
    code: 'subject_file_not_downloaded',
  },
  subject_file_missing: {
    status: 404,
    type: 'not_found',
    text: 'There is no file to download. Make it first.',
  },
} as const;
