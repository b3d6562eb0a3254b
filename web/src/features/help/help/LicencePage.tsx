import document from '#content/legal/licence.md?blocks';
import versions from '#content/legal/versions.json';
import { LegalText } from './components/LegalText.tsx';

export default function LicencePage() {
  return <LegalText title="Licence agreement" document={document} version={versions.licence} />;
}
