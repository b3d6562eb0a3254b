import document from '#content/legal/terms.md?blocks';
import versions from '#content/legal/versions.json';
import { LegalText } from './components/LegalText.tsx';

export default function TermsPage() {
  return <LegalText title="Terms and conditions" document={document} version={versions.terms} />;
}
