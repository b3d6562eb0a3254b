/** The documents about data that a school can use, by their name in `content/legal/`. */
export const PRIVACY_DOCUMENTS = {
  'privacy-notice': {
    title: 'Privacy notice for parents',
    lead: 'a template for your website, with the list of data about pupils.',
  },
  'impact-assessment': {
    title: 'Facts for an impact assessment',
    lead: 'what your data protection officer needs for a DPIA.',
  },
  processors: {
    title: 'List of processors',
    lead: 'the companies that process data for you through us.',
  },
} as const;
export type PrivacyDocumentName = keyof typeof PRIVACY_DOCUMENTS;

export const isPrivacyDocument = (name: string | undefined): name is PrivacyDocumentName =>
  name !== undefined && name in PRIVACY_DOCUMENTS;
