import markdown from '#content/legal/terms.md?raw';
import versions from '#content/legal/versions.json';
import { LegalText } from './components/LegalText.tsx';

export default function TermsPage() {
  return <LegalText title="Terms and conditions" markdown={markdown} version={versions.terms} />;
}
