/** The errors of links in emails, and of sessions that they end: see `errorList`. */
export const linkErrors = {
  reset_link_expired: {
    status: 404,
    type: 'not_found',
    text: 'Sorry, the token has expired. Ask for a new link and use it within an hour.',
    code: 'token_expired',
  },
  confirmation_link_expired: {
    status: 404,
    type: 'not_found',
    text: 'This link has expired or has already been used. Log in to check whether your address is confirmed, or to send a new link.',
    code: 'token_expired',
  },
  email_change_link_expired: {
    status: 404,
    type: 'not_found',
    text: 'This link has expired or has already been used, or the change has ended. Log in to see your email address.',
    code: 'token_expired',
  },
  digest_link_unknown: {
    status: 404,
    type: 'not_found',
    text: 'This link no longer works. Use the link in your latest weekly email, or switch the email off in your account.',
  },
  set_up_link_expired: {
    status: 404,
    type: 'not_found',
    text: 'This token is no longer authorised',
    code: 'token_expired',
  },
  session_not_found: { status: 404, type: 'not_found', text: 'This device has already been logged out.' },
  session_link_expired: {
    status: 404,
    type: 'not_found',
    text: 'This link has expired or has already been used. Log in to check where you are logged in.',
    code: 'token_expired',
  },
  impersonation_code_expired: {
    status: 404,
    type: 'not_found',
    text: 'This token is no longer authorised',
    code: 'token_expired',
  },
} as const;
