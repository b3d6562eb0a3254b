/**
 * Everything that a client needs beyond the two specifications, where they leave something open or the product deviates
 * from them. A client that needs more fails `specification-client.spec.ts`, and so does a need that no longer exists.
 */
export const needs = {
  headerName: {
    statement: 'Access 1.13',
    sentence: 'The session token is sent in the header that the OpenAPI document describes.',
  },
  versionFilePath: { statement: 'Access 7.2', sentence: 'The version file is `/version.json`.' },
  trialBody: {
    statement: 'Access 7.26',
    sentence: 'A trial starts with an empty body, and the reply has the subscription.',
  },
  resendPath: { statement: 'Operations 7.15', sentence: 'The path of Resend is in the OpenAPI document.' },
  invoiceList: {
    statement: 'Access 7.35',
    sentence: 'The list of invoices is beside their `meta`, in the field that the OpenAPI document names.',
  },
  linkNames: {
    statement: 'Operations 7.31',
    sentence: 'The links Logins and Spreadsheet are the fields `logins` and `spreadsheet`.',
  },
  chartOutput: {
    statement: 'Operations 7.53',
    sentence: 'The values of `output` of a chart are in the OpenAPI document.',
  },
  readingIntake: {
    statement: 'Operations 1.23',
    sentence: 'Reading arrives through the calls of the reading app in the OpenAPI document.',
  },
  omittedReaders: {
    statement: 'Access 7.12',
    sentence: 'The school has no `readers` while its state closes teaching; `meta.omitted` names what is left out.',
  },
  secondFactor: {
    statement: 'Access 4.15',
    sentence:
      'From day 15 an admin’s login is answered 401 until a second factor is added, and then goes on with a code.',
  },
  currentPassword: { statement: 'Operations 7.4', sentence: 'A new email or password also needs `current_password`.' },
  mailedToken: {
    statement: 'Access 3.19',
    sentence: 'An invitation opens with the token of its mailed link, not with its `id` in the list.',
  },
  declinedStatus: { statement: 'Access 3.20', sentence: 'An invite’s status can also be `declined`.' },
  confirmedAddress: {
    statement: 'Operations 7.13',
    sentence: 'Invitations are mailed once the sender has confirmed their own address.',
  },
  unconfirmedFromDay8: {
    statement: 'Access 2.94',
    sentence: 'From day 8 an account with an unconfirmed address is answered 409 `email_not_confirmed`.',
  },
  linksNeedToken: {
    statement: 'Operations 7.31',
    sentence: 'The links Logins and Spreadsheet open only with the session of the user who made them.',
  },
  proof: {
    statement: 'Operations 7.18',
    sentence:
      'Fifteen minutes after the login, a change of role is answered 409 `proof_required` until a proof is sent.',
  },
} satisfies Record<string, { statement: string; sentence: string }>;

export type Need = keyof typeof needs;
