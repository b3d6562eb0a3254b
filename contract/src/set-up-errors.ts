/** The errors of someone who must complete a step before the call: see `errorList`. */
export const setUpStepErrors = {
  password_reset_required: {
    status: 409,
    type: 'conflict',
    text: 'Choose a new password first. Send it to POST users/me, then log in with it.',
    code: 'password_reset_required',
  },
  email_not_confirmed: {
    status: 409,
    type: 'conflict',
    text: 'Confirm your email address first. We have sent you a link; you can send it again from your account, or with POST users/me/confirmation.',
    code: 'email_not_confirmed',
  },
  nothing_to_confirm: {
    status: 409,
    type: 'conflict',
    text: 'Your email address is already confirmed.',
    code: 'nothing_to_confirm',
  },
  provider_required: {
    status: 409,
    type: 'conflict',
    text: 'Your school logs in through a provider only. Open the portal in a browser and sign in there.',
    code: 'provider_required',
  },
  terms_not_accepted: {
    status: 409,
    type: 'conflict',
    text: 'An administrator of your school must accept the terms first, with POST enterprises/{id}/terms/accept.',
    code: 'terms_not_accepted',
  },
} as const;
