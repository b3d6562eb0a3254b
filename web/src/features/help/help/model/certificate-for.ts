/** The recipient of a certificate. */
export type CertificateFor =
  | { kind: 'pupil'; id: number; name: string }
  | { kind: 'pupils'; ids: readonly number[]; name: string }
  /** `pupilCount`: the number of pupils in the class. */
  | { kind: 'class'; id: number; name: string; pupilCount?: number };
