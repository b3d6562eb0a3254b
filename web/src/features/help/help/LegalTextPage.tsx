import accessibility from '#content/legal/accessibility.md?blocks';
import licence from '#content/legal/licence.md?blocks';
import privacy from '#content/legal/privacy.md?blocks';
import terms from '#content/legal/terms.md?blocks';
import versions from '#content/legal/versions.json';
import type { MarkdownDocument } from '#content/read-markdown.ts';
import type { GuestScreen } from '../../../shell/guest-screen.ts';
import { LegalText } from './components/LegalText.tsx';

const legalScreen = (title: string, document: MarkdownDocument, version: string, description: string): GuestScreen => ({
  access: 'open',
  description,
  load: () => ({ kind: 'page', content: <LegalText title={title} document={document} version={version} /> }),
});

/** The legal texts, by path. */
export const legalScreens = {
  '/licence': legalScreen('Licence agreement', licence, versions.licence, 'The licence agreement for schools.'),
  '/terms': legalScreen(
    'Terms and conditions',
    terms,
    versions.terms,
    'The terms and conditions of the service for schools.',
  ),
  '/privacy': legalScreen(
    'Privacy policy',
    privacy,
    versions.privacy,
    'What we store about pupils and staff, why, for how long, and who can see it.',
  ),
  '/accessibility': legalScreen(
    'Accessibility',
    accessibility,
    versions.accessibility,
    'How accessible the portal is, and how to report a problem.',
  ),
} as const;
