/** The certificates: their IDs and titles. */
export const CERTIFICATES = {
  'book-worm': 'Book Worm',
  'class-of-the-week': 'Class of the Week',
  'improved-reader': 'Improved Reader',
  'next-level-reader': 'Next Level Reader',
  'reader-of-the-week': 'Reader of the Week',
  'superstar-reader': 'Superstar Reader',
} as const;
export type CertificateId = keyof typeof CERTIFICATES;
export const CERTIFICATE_IDS = Object.keys(CERTIFICATES) as [CertificateId, ...CertificateId[]];
