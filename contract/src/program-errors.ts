/** The errors of programs and their tokens: see `errorList`. */
export const programErrors = {
  not_for_programs: {
    status: 403,
    type: 'permission',
    text: 'A program cannot make this call: no scope permits it. Someone with an account can.',
    code: 'not_for_programs',
  },
  program_scope_missing: {
    status: 403,
    type: 'permission',
    text: 'The token of this program does not have the scope that this call needs. GET program lists the scopes that it has; an admin can add one on the page of the school.',
    code: 'program_scope_missing',
  },
  program_limited: {
    status: 403,
    type: 'permission',
    text: 'This call is about the whole school, and the program is limited to some of its classes.',
    code: 'program_limited',
  },
  program_not_found: {
    status: 404,
    type: 'not_found',
    text: 'This program has ended. Load the page again.',
    code: 'program_not_found',
  },
  programs_full: {
    status: 409,
    type: 'conflict',
    text: 'A school has at most 20 programs. Revoke one that is no longer used, then add this one.',
    code: 'programs_full',
  },
  program_needs_factor: {
    status: 409,
    type: 'conflict',
    text: 'Only an admin with a second factor can do this. Add a passkey or an authenticator app to your account first.',
    code: 'program_needs_factor',
  },
} as const;
