/** Whom a certificate is for. */
export interface CertificateFor {
  kind: 'pupil' | 'class';
  id: number;
  name: string;
  /** Pupils of a class. */
  pupilCount?: number;
}
