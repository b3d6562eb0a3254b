/** The errors of requests and complaints about data: see `errorList`. */
export const subjectRequestErrors = {
  subject_request_open: {
    status: 409,
    type: 'conflict',
    text: 'This person has already asked for this, and the request is open. Close it before you record another.',
    code: 'subject_request_open',
  },
  subject_request_closed: {
    status: 409,
    type: 'conflict',
    text: 'This request has been closed. Reload the page.',
    code: 'subject_request_closed',
  },
  subject_step_unavailable: {
    status: 409,
    type: 'conflict',
    text: 'Someone else has changed this request. Reload the page.',
    code: 'subject_step_unavailable',
  },
  subject_request_without_file: {
    status: 409,
    type: 'conflict',
    text: 'A request of this kind has no file.',
    code: 'subject_request_without_file',
  },
  subject_identity_unconfirmed: {
    status: 409,
    type: 'conflict',
    text: 'Record how you checked who asks first.',
    code: 'subject_identity_unconfirmed',
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
