/** The errors of appointing an admin for a school whose admins have all left. */
export const adminRequestErrors = {
  admin_request_by_admin: {
    status: 409,
    type: 'conflict',
    text: 'You are an admin. On Teachers you can make a colleague an admin yourself.',
    code: 'admin_request_by_admin',
  },
  admin_request_not_needed: {
    status: 409,
    type: 'conflict',
    text: 'These are not all the admins of your school, or they have changed. Load the page again to see who they are. An admin who has not left can make you an admin.',
    code: 'admin_request_not_needed',
  },
  admin_request_pending: {
    status: 409,
    type: 'conflict',
    text: 'A colleague has already asked us to appoint an admin. Load the page again.',
    code: 'admin_request_pending',
  },
  admin_request_not_found: {
    status: 404,
    type: 'not_found',
    text: 'This request was stopped, has expired, or has taken effect. Load the page again.',
    code: 'admin_request_not_found',
  },
  admin_request_outdated: {
    status: 409,
    type: 'conflict',
    text: 'The staff of the school have changed, or it has closed, so this request ends within ten minutes.',
    code: 'admin_request_outdated',
  },
  admin_request_checked: {
    status: 409,
    type: 'conflict',
    text: 'Another operator has already recorded a check. Load the page again.',
    code: 'admin_request_checked',
  },
  admin_request_unchecked: {
    status: 409,
    type: 'conflict',
    text: 'Record a check first. Another operator confirms it.',
    code: 'admin_request_unchecked',
  },
  admin_request_by_another: {
    status: 409,
    type: 'conflict',
    text: 'Another operator must do this: one who recorded no check and is not part of the request.',
    code: 'admin_request_by_another',
  },
} as const;
