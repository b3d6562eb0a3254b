/** The errors of closing a school, and of leaving one. */
export const closingErrors = {
  school_closed: {
    status: 409,
    type: 'conflict',
    text: 'Your school is closed: you can read and export, but not change anything. An admin can reopen it, under School, Data and privacy.',
    code: 'school_closed',
  },
  closing_requested: {
    status: 409,
    type: 'conflict',
    text: 'An admin has already asked to close the school. Load the page again.',
  },
  closing_not_requested: {
    status: 409,
    type: 'conflict',
    text: 'The school is not being closed any more. Load the page again.',
  },
  closing_needs_another_admin: {
    status: 409,
    type: 'conflict',
    text: 'Another admin must confirm this. Without one, the school closes by itself after 7 days.',
  },
  last_admin: {
    status: 409,
    type: 'conflict',
    text: 'You are the only admin of your school. On Teachers, make a colleague an admin first. If your school leaves, close it under School, Data and privacy.',
    code: 'last_admin',
  },
} as const;
