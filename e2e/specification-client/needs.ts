/**
 * Everything that a client needs beyond the two specifications, where they leave something open or the product deviates
 * from them. A client that needs more fails `specification-client.spec.ts`, and so does a need that no longer exists.
 */
export const needs = {
  headerName: { sentence: 'The session token is sent in the header that the OpenAPI document describes.' },
  versionFilePath: { sentence: 'The version file is `/version.json`.' },
  trialBody: { sentence: 'A trial starts with an empty body, and the reply has the subscription.' },
  resendPath: { sentence: 'The path of Resend is in the OpenAPI document.' },
  invoiceList: {
    sentence: 'The list of invoices is beside their `meta`, in the field that the OpenAPI document names.',
  },
  linkNames: { sentence: 'The links Logins and Spreadsheet are the fields `logins` and `spreadsheet`.' },
  chartOutput: { sentence: 'The values of `output` of a chart are in the OpenAPI document.' },
  readingIntake: { sentence: 'Reading arrives through the calls of the reading app in the OpenAPI document.' },
  omittedReaders: {
    sentence: 'The school has no `readers` while its state closes teaching; `meta.omitted` names what is left out.',
  },
  secondFactor: {
    sentence:
      'From day 15 an admin’s login is answered 401 until a second factor is added, and then goes on with a code.',
  },
  currentPassword: { sentence: 'A new email or password also needs `current_password`.' },
  mailedToken: { sentence: 'An invitation opens with the token of its mailed link, not with its `id` in the list.' },
  declinedStatus: { sentence: 'An invite’s status can also be `declined`.' },
  confirmedAddress: { sentence: 'Invitations are mailed once the sender has confirmed their own address.' },
  unconfirmedFromDay8: {
    sentence: 'From day 8 an account with an unconfirmed address is answered 409 `email_not_confirmed`.',
  },
  linksNeedToken: {
    sentence: 'The links Logins and Spreadsheet open only with the session of the user who made them.',
  },
  proof: {
    sentence:
      'Fifteen minutes after the login, a change of role is answered 409 `proof_required` until a proof is sent.',
  },
} satisfies Record<string, { sentence: string; statement?: string }>;

export type Need = keyof typeof needs;
